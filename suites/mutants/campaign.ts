import type { Variation } from "../../fixtures/sandbox/points/points.ts";
import { layoutVariations } from "../../fixtures/sandbox/variations/layouts.ts";
import { variations } from "../../fixtures/sandbox/variations/variations.ts";
import type { Observation } from "../../reports/verdicts/verdict.ts";
import type { Listed } from "../runner/checklist.ts";
import { type Case, CaseBuilder, type Mix } from "./cases.ts";
import { type Catalogue, proofread } from "./catalogue.ts";
import { drawer, mix, pack } from "./draw.ts";
import { changedItems, type Judged, judgeBaseline, judgeConformant } from "./judge.ts";
import type { Entry, Matrix } from "./matrix.ts";
import type { MutantOptions } from "./options.ts";
import type { Findings, MutantRunner } from "./runner.ts";
import { EVERYTHING, isComplete } from "./selection.ts";

/** The sandboxes that one worker tests at the same time, so that their waiting times overlap. */
const AT_ONCE = { sandboxes: 16, checks: 4_000 };

/** Runs the checks against every mutant that the options ask for, and judges each. */
export class Campaign {
  readonly #options: MutantOptions;
  readonly #runners: readonly [MutantRunner, ...MutantRunner[]];
  readonly #onEntry: (entry: Entry) => void;
  readonly #cases: CaseBuilder;
  readonly #entries: Entry[] = [];
  /** The observations of the unchanged sandbox. */
  #observations: readonly Observation[] | undefined;

  constructor(
    options: MutantOptions,
    runners: readonly [MutantRunner, ...MutantRunner[]],
    onEntry: (entry: Entry) => void,
  ) {
    this.#options = options;
    this.#runners = runners;
    this.#onEntry = onEntry;
    this.#cases = new CaseBuilder(options);
  }

  async run(selection: Catalogue): Promise<Matrix> {
    const { seed, full, shard } = this.#options;
    if (selection.variations.length > 0 || full) await this.#tryBaseline();
    await this.#tryVariations(selection.variations);
    await this.#tryFaults(selection.faults);
    const badPractices = this.#mine(selection.badPractices);
    await this.#try(badPractices.map((badPractice) => this.#cases.badPractice(badPractice)));
    const isWhole = isComplete(selection) && shard.parts === 1;
    return {
      schema: "payments-conformance/mutants@1",
      seed,
      full,
      entries: this.#entries,
      declarations: proofread(EVERYTHING, this.#cases.checks),
      ...(isWhole && { uncaught: uncaught(this.#entries, this.#cases.checks) }),
    };
  }

  async #tryVariations(chosen: readonly Variation[]) {
    const { packings } = this.#options;
    if (packings > 0) await this.#tryPacks(chosen, packings);
    else await this.#try(this.#mine(chosen).map((variation) => this.#alone(variation)));
  }

  async #tryFaults(chosen: Catalogue["faults"]) {
    const mixes = await this.#tryMixes();
    const faults = this.#mine(chosen);
    await this.#try(faults.map((fault) => this.#cases.faulty(fault)));
    if (this.#options.crossed === 0) return;
    const layouts = await this.#layouts();
    await this.#try(faults.flatMap((fault) => this.#cases.faultyInMixes(fault, mixes, layouts)));
  }

  /** Tries the unchanged sandbox twice, to see that a second run observes the same. */
  async #tryBaseline() {
    const mutant = { variations: [], checks: this.#cases.checks };
    const [first, second] = await this.#runners[0].examine([mutant, mutant]);
    if (!first || !second) throw new Error("the findings of a mutant were lost");
    const baseline = { kind: "baseline", id: "sandbox", mutant } as const;
    this.#entries.push(this.#entryOf(baseline, first, judgeBaseline(first, second)));
    this.#observations = first.observations;
    this.#cases.learnReach(first);
  }

  #alone(variation: Variation): Case {
    return this.#cases.conformant("variation", variation.id, [variation]);
  }

  /** Each packing puts every variation among others, so that one that hides another does not do so always. */
  async #tryPacks(chosen: readonly Variation[], packings: number) {
    const { seed } = this.#options;
    const drawn = Array.from({ length: packings }, (_, index) => pack(drawer(seed, "packs", index), chosen));
    const packs = this.#mine([...drawn.flat().entries()]);
    const first = drawn[0]?.length ?? 0;
    const found = await this.#try(
      packs.map(([index, variations]) => {
        const one = this.#cases.conformant("mix", `pack ${index + 1}`, variations);
        // The first packing shows what each variation changes; in the others, one may hide what another one changes.
        return index < first ? one : { ...one, promised: [] };
      }),
    );
    // Trying the variations of a failed pack one by one shows which of them it was.
    const suspects = packs.flatMap(([, variations], index) =>
      judgeConformant(found[index] as Findings).complaints.length > 0 ? variations : [],
    );
    await this.#try(suspects.map((variation) => this.#alone(variation)));
  }

  async #tryMixes(): Promise<Mix[]> {
    const { mixes, seed } = this.#options;
    const drawn = Array.from({ length: mixes }, (_, index) => ({
      id: String(index + 1),
      variations: mix(drawer(seed, "mix", index + 1), variations),
    }));
    // In a drawn mix, one variation may hide what another one changes.
    const found = await this.#try(
      drawn.map(({ id, variations }) => ({
        ...this.#cases.conformant("mix", id, variations),
        promised: [],
      })),
    );
    return drawn.map((mixed, index) => ({ ...mixed, results: found[index]?.results ?? [] }));
  }

  /** Each layout of lists alone, and what the checks of pages find under it. */
  async #layouts(): Promise<Mix[]> {
    const checks = this.#cases.pageChecks;
    const alone = layoutVariations.map((layout) => ({ id: layout.id, variations: [layout] }));
    const found = await this.#runners[0].examine(alone.map(({ variations }) => ({ variations, checks })));
    return alone.map((one, index) => ({ ...one, results: found[index]?.results ?? [] }));
  }

  /** Tries cases, each worker several at the same time; each becomes an entry, in the order of the cases. */
  async #try(cases: readonly Case[]): Promise<Findings[]> {
    const waiting = [...batches(cases).entries()];
    const done: { readonly entries: readonly Entry[]; readonly findings: readonly Findings[] }[] = [];
    const work = async (runner: MutantRunner) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [index, batch] = next;
        const findings = await runner.examine(batch.map(({ mutant }) => mutant));
        const entries: Entry[] = [];
        for (const [place, one] of batch.entries()) {
          let judged = one.judge(findings[place] as Findings);
          if (isMissed(one, judged)) {
            findings.splice(place, 1, ...(await runner.examine([one.mutant])));
            judged = one.judge(findings[place] as Findings);
          }
          entries.push(this.#entryOf(one, findings[place] as Findings, judged));
        }
        done[index] = { entries, findings };
      }
    };
    await Promise.all(this.#runners.map(work));
    this.#entries.push(...done.flatMap(({ entries }) => entries));
    return done.flatMap(({ findings }) => findings);
  }

  #entryOf(
    { kind, id, mutant, promised = [] }: Omit<Case, "judge">,
    findings: Findings,
    found: Judged,
  ): Entry {
    const { complaints, ...judged } = found;
    const isConformant = kind === "baseline" || kind === "variation" || kind === "mix";
    const before = isConformant ? this.#observations : undefined;
    const observedOtherwise = before && changedItems(before, findings.observations);
    const unkept = observedOtherwise ? promised.filter((item) => !observedOtherwise.includes(item)) : [];
    const entry: Entry = {
      kind,
      id,
      variations: mutant.variations.map((variation) => variation.id),
      checks: findings.results.length,
      ...judged,
      complaints: [
        ...complaints,
        ...unkept.map((item) => `declares that it changes ${item}, but the observation is the same`),
      ],
      ...(observedOtherwise && { observedOtherwise }),
    };
    this.#onEntry(entry);
    return entry;
  }

  /** The share of this process. */
  #mine<T>(all: readonly T[]): T[] {
    const { part, parts } = this.#options.shard;
    return all.filter((_, index) => index % parts === part - 1);
  }
}

/** A busy machine may hide a defect of timing: a fault that was missed is tried once more, alone. A false alarm never is. */
const isMissed = ({ kind }: Case, { complaints }: Judged) =>
  (kind === "fault" || kind === "fault-in-mix") && complaints.some((text) => /not caught/.test(text));

/** Groups cases, in order, into batches that one worker can test at the same time. */
function batches(cases: readonly Case[]): Case[][] {
  const made: Case[][] = [];
  let checks = 0;
  for (const one of cases) {
    const batch = made.at(-1);
    const more = one.mutant.checks.length;
    if (batch && batch.length < AT_ONCE.sandboxes && checks + more <= AT_ONCE.checks) {
      batch.push(one);
      checks += more;
    } else {
      made.push([one]);
      checks = more;
    }
  }
  return made;
}

/** The checks that no mutant turned red: a MUST needs a fault, a SHOULD a fault or a bad practice. */
export function uncaught(
  entries: readonly Pick<Entry, "kind" | "red">[],
  checks: readonly Listed[],
): string[] {
  const redBy = (...kinds: readonly Entry["kind"][]) =>
    new Set(entries.flatMap(({ kind, red }) => (kinds.includes(kind) ? red : [])));
  const [caught, warned] = [redBy("fault"), redBy("fault", "bad-practice")];
  const isSeen = ({ id, level }: Listed) =>
    level === "OBSERVE" || (level === "MUST" ? caught : warned).has(id);
  return checks.filter((check) => !isSeen(check)).map(({ id }) => id);
}
