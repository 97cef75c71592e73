import { CommandError } from "../../fixtures/config/command-line.ts";
import { badPractices } from "../../fixtures/sandbox/bad-practices/bad-practices.ts";
import { faults } from "../../fixtures/sandbox/faults/faults.ts";
import type { BadPractice, Fault, Variation } from "../../fixtures/sandbox/points/points.ts";
import { layoutVariations } from "../../fixtures/sandbox/variations/layouts.ts";
import { variations } from "../../fixtures/sandbox/variations/variations.ts";
import type { CheckResult, Observation } from "../../reports/verdicts/verdict.ts";
import { type Listed, readChecklist } from "../runner/checklist.ts";
import { glob } from "../runner/glob.ts";
import { type Catalogue, proofread, warningChecks } from "./catalogue.ts";
import { drawer, mix, pack, sample } from "./draw.ts";
import {
  changedItems,
  isRed,
  type Judged,
  judgeBadPractice,
  judgeBaseline,
  judgeConformant,
  judgeFaulty,
} from "./judge.ts";
import type { Entry, Matrix } from "./matrix.ts";
import type { MutantOptions } from "./options.ts";
import type { Findings, Mutant, MutantRunner } from "./runner.ts";

/** Checks besides the named ones that a fault meets unless --full: they show what it spreads to, bit by bit. */
const DRAWN_CHECKS = 10;
/** Where a variation could hide a defect: checks that read lists, compare repeats or count on a refusal. */
const FAMILIES = /^(idempotency|pagination|settling|environments)\/|^protocol\/authentication/;

/** Where the layout of a list could hide one: each is tried. */
const PAGES = /^pagination\//;

/** What one worker serves at once: enough to wait for several sandboxes in the time of one. */
const AT_ONCE = { sandboxes: 16, checks: 4_000 };

/** Ids that a message shows of the many that there are. */
const MOST_SHOWN = 10;

const EVERYTHING: Catalogue = { faults, badPractices, variations };

/** What the options ask for, all where they name nothing; throws a {@link CommandError} (2) where a pattern fits nothing. */
export function selectMutants({ fault, badPractice, variation }: MutantOptions): Catalogue {
  if ([fault, badPractice, variation].every((pattern) => pattern === undefined)) return EVERYTHING;
  return {
    faults: select("fault", faults, fault),
    badPractices: select("bad-practice", badPractices, badPractice),
    variations: select("variation", variations, variation),
  };
}

/** A sandbox to try, and how what is found out about it is judged. */
interface Case {
  readonly kind: Entry["kind"];
  readonly id: string;
  readonly mutant: Mutant;
  /** Open items about which other sentences must be observed than of the sandbox as it is. */
  readonly promised?: readonly string[];
  readonly judge: (findings: Findings) => Judged;
}

/** A mix of variations, and what the checks came to under it. */
interface Mixed {
  readonly id: string;
  readonly variations: readonly Variation[];
  readonly results: readonly CheckResult[];
}

/** Runs the checks against every sandbox that the options ask for, and judges each. */
export class Campaign {
  readonly #options: MutantOptions;
  readonly #runner: MutantRunner;
  readonly #onEntry: (entry: Entry) => void;
  readonly #checks = readChecklist();
  readonly #entries: Entry[] = [];
  /** What is observed of the sandbox as it is. */
  #observations: readonly Observation[] | undefined;

  constructor(options: MutantOptions, runner: MutantRunner, onEntry: (entry: Entry) => void) {
    this.#options = options;
    this.#runner = runner;
    this.#onEntry = onEntry;
  }

  async run(selection: Catalogue): Promise<Matrix> {
    const { seed, full, packed, shard, crossed } = this.#options;
    const [mine, theirs] = [this.#mine(selection.faults), this.#mine(selection.variations)];
    if (selection.variations.length > 0) await this.#baseline();
    if (packed) await this.#packs(selection.variations);
    else await this.#try(theirs.map((variation) => this.#alone(variation)));
    const mixes = await this.#mixes();
    await this.#try(mine.map((fault) => this.#faulty(fault)));
    if (crossed > 0) {
      const layouts = await this.#layouts();
      await this.#try(mine.flatMap((fault) => this.#faultyInMixes(fault, mixes, layouts)));
    }
    await this.#try(this.#mine(selection.badPractices).map((badPractice) => this.#badPractice(badPractice)));
    const isWhole =
      selection.faults.length === faults.length &&
      selection.badPractices.length === badPractices.length &&
      shard.parts === 1;
    return {
      schema: "payments-conformance/mutants@1",
      seed,
      full,
      entries: this.#entries,
      declarations: proofread(EVERYTHING, this.#checks),
      ...(isWhole && { uncaught: uncaught(this.#entries, this.#checks) }),
    };
  }

  /** Tries each, some at once; an entry is made of each. */
  async #try(cases: readonly Case[]): Promise<Findings[]> {
    const found: Findings[] = [];
    for (const batch of batches(cases)) {
      const findings = await this.#runner.examine(batch.map(({ mutant }) => mutant));
      for (const [index, one] of batch.entries()) this.#add(one, findings[index] as Findings);
      found.push(...findings);
    }
    return found;
  }

  /** Twice, so that what is observed of one deployment can be seen to stay the same. */
  async #baseline() {
    const mutant = { variations: [], checks: this.#checks };
    const [first, second] = await this.#runner.examine([mutant, mutant]);
    if (!first || !second) throw new Error("the runner lost a mutant");
    const judge = (findings: Findings) => judgeBaseline(findings, second);
    this.#add({ kind: "baseline", id: "sandbox", mutant, judge }, first);
    this.#observations = first.observations;
  }

  #alone(variation: Variation): Case {
    return this.#conformant("variation", variation.id, [variation]);
  }

  #conformant(kind: "variation" | "mix", id: string, variations: readonly Variation[]): Case {
    return {
      kind,
      id,
      mutant: { variations, checks: this.#checks },
      promised: variations.some(({ hidesAny }) => hidesAny)
        ? []
        : variations.flatMap(({ changes = [] }) => changes),
      judge: judgeConformant,
    };
  }

  async #packs(chosen: readonly Variation[]) {
    const packs = this.#mine([...pack(drawer(this.#options.seed, "packs"), chosen).entries()]);
    const cases = packs.map(([index, variations]) =>
      this.#conformant("mix", `pack ${index + 1}`, variations),
    );
    const found = await this.#try(cases);
    // Which of them it was is seen when each stands alone.
    const suspects = packs.flatMap(([, variations], index) =>
      judgeConformant(found[index] as Findings).complaints.length > 0 ? variations : [],
    );
    await this.#try(suspects.map((variation) => this.#alone(variation)));
  }

  async #mixes(): Promise<Mixed[]> {
    const { mixes, seed } = this.#options;
    const drawn = Array.from({ length: mixes }, (_, index) => ({
      id: String(index + 1),
      variations: mix(drawer(seed, "mix", index + 1), variations),
    }));
    // In a drawn mix one variation may hide what another one changes.
    const found = await this.#try(
      drawn.map(({ id, variations }) => ({ ...this.#conformant("mix", id, variations), promised: [] })),
    );
    return drawn.map((mixed, index) => ({ ...mixed, results: found[index]?.results ?? [] }));
  }

  /** Each layout of lists alone, and what the checks of pages come to under it. */
  async #layouts(): Promise<Mixed[]> {
    const checks = this.#checks.filter(({ file }) => PAGES.test(file));
    const alone = layoutVariations.map((layout) => ({ id: layout.id, variations: [layout] }));
    const found = await this.#runner.examine(alone.map(({ variations }) => ({ variations, checks })));
    return alone.map((one, index) => ({ ...one, results: found[index]?.results ?? [] }));
  }

  #faulty(fault: Fault): Case {
    const { full, seed } = this.#options;
    const named = this.#withWhatTheySettle(this.#named(fault.caughtBy));
    const others = this.#checks.filter((check) => !named.includes(check));
    const drawn = full ? others : sample(drawer(seed, "checks", fault.id), others, DRAWN_CHECKS);
    return {
      kind: "fault",
      id: fault.id,
      mutant: { fault, variations: [], checks: [...named, ...drawn] },
      judge: (findings) => judgeFaulty(fault, findings, fault.caughtBy),
    };
  }

  /** One named check is enough here: a variation may hide a fault from the other. */
  #faultyInMixes(fault: Fault, mixes: readonly Mixed[], layouts: readonly Mixed[]): Case[] {
    const files = this.#named(fault.caughtBy).map(({ file }) => file);
    if (!files.some((file) => FAMILIES.test(file))) return [];
    const { crossed, seed } = this.#options;
    const isApt = ({ variations, results }: Mixed) =>
      passing(fault, results).length > 0 &&
      !variations.some(({ id, hidesAny }) => hidesAny || fault.hiddenBy?.includes(id));
    const drawn = sample(drawer(seed, "mixes", fault.id), mixes.filter(isApt), crossed);
    const each = files.some((file) => PAGES.test(file)) ? layouts.filter(isApt) : [];
    return [...drawn, ...each].map(({ id, variations, results }): Case => {
      const named = passing(fault, results);
      return {
        kind: "fault-in-mix",
        id: `${fault.id} in ${id}`,
        mutant: { fault, variations, checks: this.#withWhatTheySettle(this.#named(named)) },
        judge: (findings) => {
          const judged = judgeFaulty(fault, findings, [], results.filter(isRed));
          const missed = judged.red.length > 0 ? [] : [`is not caught by ${named.join(" or ")}`];
          return { ...judged, complaints: [...judged.complaints, ...missed] };
        },
      };
    });
  }

  #badPractice(badPractice: BadPractice): Case {
    const warning = warningChecks(badPractice, this.#checks);
    const ids = warning.map(({ id }) => id);
    return {
      kind: "bad-practice",
      id: badPractice.id,
      mutant: { badPractice, variations: [], checks: this.#withWhatTheySettle(warning) },
      judge: (findings) => judgeBadPractice(ids, findings),
    };
  }

  /** What is judged at the end of a run was sent by the checks of repeats. */
  #withWhatTheySettle(named: readonly Listed[]): Listed[] {
    const settled = named
      .filter(({ file }) => file.startsWith("settling/"))
      .map(({ operation }) => operation);
    return this.#checks.filter(
      (check) =>
        named.includes(check) || (check.file.startsWith("idempotency/") && settled.includes(check.operation)),
    );
  }

  #named(ids: readonly string[]): Listed[] {
    return this.#checks.filter(({ id }) => ids.includes(id));
  }

  #add({ kind, id, mutant, promised = [], judge }: Case, findings: Findings) {
    const { complaints, ...judged } = judge(findings);
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
        ...unkept.map((item) => `declares that it changes ${item}, which is observed in the same words`),
      ],
      ...(observedOtherwise && { observedOtherwise }),
    };
    this.#entries.push(entry);
    this.#onEntry(entry);
  }

  /** The share of this process. */
  #mine<T>(all: readonly T[]): T[] {
    const { part, parts } = this.#options.shard;
    return all.filter((_, index) => index % parts === part - 1);
  }
}

/** In order, as many at once as one worker serves well. */
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

/**
 * The checks that nothing shows to be able to fail: a MUST needs a fault that it catches, a SHOULD a fault or a
 * badPractice.
 */
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

/** The named checks that have something to say under a mix. */
const passing = ({ caughtBy }: Fault, results: readonly CheckResult[]) =>
  results.flatMap(({ id, verdict }) => (verdict === "pass" && caughtBy.includes(id) ? [id] : []));

function select<T extends { readonly id: string }>(
  kind: string,
  all: readonly T[],
  pattern: string | undefined,
): readonly T[] {
  if (pattern === undefined) return [];
  const matches = glob(pattern);
  const chosen = all.filter(({ id }) => matches(id));
  if (chosen.length > 0 || pattern === "*") return chosen;
  const words = pattern.split(/[^a-z]+/i).filter((word) => word.length > 2);
  const alike = all.filter(({ id }) => words.some((word) => id.includes(word)));
  const shown = (alike.length > 0 ? alike : all).slice(0, MOST_SHOWN).map(({ id }) => id);
  throw new CommandError(2, [
    `--${kind} ${pattern} selects nothing: give one of the ${all.length} ids, or a pattern; such as ${shown.join(", ")}`,
  ]);
}
