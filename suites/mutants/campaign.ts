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
import type { Findings, RunnerPool } from "./runner.ts";
import { EVERYTHING, isComplete } from "./selection.ts";

/** The sandboxes that one runner tests at the same time, so that their waiting times overlap. */
const AT_ONCE = { sandboxes: 64, checks: 4_000 };

/** A case that was tried. */
interface Tried {
  readonly entry: Entry;
  readonly findings: Findings;
}

type MixTried = Omit<Mix, "results"> & { readonly tried: Tried };

const resultsOf = ({ tried, ...mix }: MixTried): Mix => ({ ...mix, results: tried.findings.results });

/** Runs the checks against every mutant that the options ask for, and judges each. */
export class Campaign {
  readonly #options: MutantOptions;
  readonly #runners: RunnerPool;
  readonly #onEntry: (entry: Entry) => void;
  readonly #cases: CaseBuilder;
  /** The observations of the unchanged sandbox. */
  #observations: readonly Observation[] | undefined;

  constructor(options: MutantOptions, runners: RunnerPool, onEntry: (entry: Entry) => void) {
    this.#options = options;
    this.#runners = runners;
    this.#onEntry = onEntry;
    this.#cases = new CaseBuilder(options);
  }

  async run(selection: Catalogue): Promise<Matrix> {
    const { seed, full, shard } = this.#options;
    const baseline = selection.variations.length > 0 || full ? [await this.#tryBaseline()] : [];
    const badPractices = this.#mine(selection.badPractices);
    // All of them wait for one queue, the longest first; so no runner is idle while another one finishes a slow sandbox.
    const tried = await Promise.all([
      this.#tryVariations(selection.variations),
      this.#tryFaults(selection.faults),
      this.#try(badPractices.map((badPractice) => this.#cases.badPractice(badPractice))),
    ]);
    const entries = [...baseline, ...tried.flat().map(({ entry }) => entry)];
    const isWhole = isComplete(selection) && shard.parts === 1;
    return {
      schema: "payments-conformance/mutants@1",
      seed,
      full,
      entries,
      declarations: proofread(EVERYTHING, this.#cases.checks),
      ...(isWhole && { uncaught: uncaught(entries, this.#cases.checks) }),
    };
  }

  async #tryVariations(chosen: readonly Variation[]): Promise<Tried[]> {
    const { packings } = this.#options;
    if (packings > 0) return this.#tryPacks(chosen, packings);
    return this.#try(this.#mine(chosen).map((variation) => this.#alone(variation)));
  }

  async #tryFaults(chosen: Catalogue["faults"]): Promise<Tried[]> {
    const faults = this.#mine(chosen);
    const isCrossed = this.#options.crossed > 0;
    const [mixes, alone, layouts] = await Promise.all([
      this.#tryMixes(),
      this.#try(faults.map((fault) => this.#cases.faulty(fault))),
      isCrossed ? this.#layouts() : [],
    ]);
    const crossed = isCrossed
      ? faults.flatMap((fault) => this.#cases.faultyInMixes(fault, mixes.map(resultsOf), layouts))
      : [];
    return [...mixes.map(({ tried }) => tried), ...alone, ...(await this.#try(crossed))];
  }

  /** Tries the unchanged sandbox twice, to see that a second run observes the same. */
  async #tryBaseline(): Promise<Entry> {
    const mutant = { variations: [], checks: this.#cases.checks };
    const [first, second] = await this.#runners.examine([mutant, mutant]);
    if (!first || !second) throw new Error("the findings of a mutant were lost");
    const baseline = { kind: "baseline", id: "sandbox", mutant } as const;
    const entry = this.#entryOf(baseline, first, judgeBaseline(first, second));
    this.#observations = first.observations;
    this.#cases.learnReach(first);
    return entry;
  }

  #alone(variation: Variation): Case {
    return this.#cases.conformant("variation", variation.id, [variation]);
  }

  /** Each packing puts every variation among others, so that one that hides another does not do so always. */
  async #tryPacks(chosen: readonly Variation[], packings: number): Promise<Tried[]> {
    const { seed } = this.#options;
    const drawn = Array.from({ length: packings }, (_, index) => pack(drawer(seed, "packs", index), chosen));
    const packs = this.#mine([...drawn.flat().entries()]);
    const first = drawn[0]?.length ?? 0;
    const tried = await this.#try(
      packs.map(([index, variations]) => {
        const one = this.#cases.conformant("mix", `pack ${index + 1}`, variations);
        // The first packing shows what each variation changes; in the others, one may hide what another one changes.
        return index < first ? one : { ...one, promised: [] };
      }),
    );
    // Trying the variations of a failed pack one by one shows which of them it was.
    const suspects = packs.flatMap(([, variations], index) =>
      judgeConformant((tried[index] as Tried).findings).complaints.length > 0 ? variations : [],
    );
    return [...tried, ...(await this.#try(suspects.map((variation) => this.#alone(variation))))];
  }

  async #tryMixes(): Promise<MixTried[]> {
    const { mixes, seed } = this.#options;
    const drawn = Array.from({ length: mixes }, (_, index) => ({
      id: String(index + 1),
      variations: mix(drawer(seed, "mix", index + 1), variations),
    }));
    // In a drawn mix, one variation may hide what another one changes.
    const tried = await this.#try(
      drawn.map(({ id, variations }) => ({
        ...this.#cases.conformant("mix", id, variations),
        promised: [],
      })),
    );
    return drawn.map((mixed, index) => ({ ...mixed, tried: tried[index] as Tried }));
  }

  /** Each layout of lists alone, and what the checks of pages find under it. */
  async #layouts(): Promise<Mix[]> {
    const checks = this.#cases.pageChecks;
    const alone = layoutVariations.map((layout) => ({ id: layout.id, variations: [layout] }));
    const found = await this.#runners.examine(alone.map(({ variations }) => ({ variations, checks })));
    return alone.map((one, index) => ({ ...one, results: found[index]?.results ?? [] }));
  }

  /** Tries cases, several at the same time; returns their results in the order of the cases. */
  async #try(cases: readonly Case[]): Promise<Tried[]> {
    const tried = await Promise.all(batches(cases).map((batch) => this.#tryBatch(batch)));
    return tried.flat();
  }

  async #tryBatch(batch: readonly Case[]): Promise<Tried[]> {
    const found = await this.#runners.examine(batch.map(({ mutant }) => mutant));
    return Promise.all(
      batch.map(async (one, place) => {
        let findings = found[place] as Findings;
        let judged = one.judge(findings);
        if (isMissed(one, judged)) {
          findings = (await this.#runners.examine([one.mutant]))[0] as Findings;
          judged = one.judge(findings);
        }
        return { entry: this.#entryOf(one, findings, judged), findings };
      }),
    );
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

/** Groups cases, in order, into batches that one runner can test at the same time. */
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
