import { basename } from "node:path";
import type { BadPractice, Fault, Variation } from "../../fixtures/sandbox/points/points.ts";
import type { CheckResult } from "../../reports/verdicts/verdict.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { type Listed, readChecklist } from "../runner/checklist.ts";
import { glob } from "../runner/glob.ts";
import { warningChecks } from "./catalogue.ts";
import { drawer, sample } from "./draw.ts";
import {
  isRare,
  isRed,
  type Judged,
  judgeBadPractice,
  judgeConformant,
  judgeFaulty,
  judgeVariation,
  verdictOf,
} from "./judge.ts";
import type { Entry } from "./matrix.ts";
import type { MutantOptions } from "./options.ts";
import type { Findings, Mutant } from "./runner.ts";

/** How many checks, other than those it names, a fault meets unless --full is given; they show what else it turns red. */
const DRAWN_CHECKS = 10;
/** Checks that a variation could blind: they read lists, compare repeats or rely on a rejection. */
const SENSITIVE = /^(lists|after-writes|end-of-run|authentication|transfers)\//;
/** Checks that look up what others sent. */
const SETTLED = /^(after-writes|end-of-run)\//;
/** Checks that send what others judge at the end of a run. */
const SENDING = /^transfers\//;
/** Checks that a layout of lists could blind: they meet every layout. */
const PAGES = /^lists\//;

/** Checks that judge, at the end of a run, what other checks sent. */
const AT_THE_END = /^(all-responses|after-writes|end-of-run)\//;

/** A mutant to try, and how its findings are judged. */
export interface Case {
  readonly kind: Entry["kind"];
  readonly id: string;
  readonly mutant: Mutant;
  /** Open items on which the observations must differ from those of the unchanged sandbox. */
  readonly promised?: readonly string[];
  readonly judge: (findings: Findings) => Judged;
}

/** A mix of variations, and what the checks found under it. */
export interface Mix {
  readonly id: string;
  readonly variations: readonly Variation[];
  readonly results: readonly CheckResult[];
}

/** Makes the cases of a campaign out of faults, bad practices and variations. */
export class CaseBuilder {
  readonly checks = readChecklist();
  readonly #options: MutantOptions;
  /** The operations that each check sends requests to. */
  readonly #reach = new Map<string, ReadonlySet<OperationId | undefined>>();

  constructor(options: MutantOptions) {
    this.#options = options;
  }

  /** Learns from a run against the unchanged sandbox which operations each check sends requests to. */
  learnReach({ results, requests }: Findings) {
    for (const { id, operation, exchanges } of results) {
      const operations = exchanges.map((file) => requests.get(basename(file, ".json")));
      this.#reach.set(id, new Set([operation, ...operations]));
    }
  }

  /** Whether a check sends requests to an operation that the fault changes; no other check can see it. */
  #reaches({ id }: Listed, { operation, on = [operation] }: Fault): boolean {
    return on === "every" || on.some((changed) => this.#reach.get(id)?.has(changed));
  }

  /** A sandbox that no check may fail. */
  conformant(kind: "variation" | "mix", id: string, variations: readonly Variation[]): Case {
    const [only] = variations;
    return {
      kind,
      id,
      mutant: { variations, checks: this.checks },
      promised: variations.some(({ hidesAny }) => hidesAny)
        ? []
        : variations.flatMap(({ changes = [] }) => changes),
      judge: kind === "variation" && only ? (findings) => judgeVariation(only, findings) : judgeConformant,
    };
  }

  /** A sandbox with one fault, which the checks that the fault names must catch. */
  faulty(fault: Fault): Case {
    const { full, seed } = this.#options;
    const named = this.#withWhatTheyNeed(fault, fault.caughtBy);
    const others = this.checks.filter((check) => !named.includes(check));
    const drawn = full
      ? others.filter((check) => this.#reaches(check, fault))
      : sample(drawer(seed, "checks", fault.id), others, DRAWN_CHECKS);
    return {
      kind: "fault",
      id: fault.id,
      mutant: { fault, variations: [], checks: [...named, ...drawn] },
      // Other checks may ask first for what a fault shows only once, and catch it.
      judge: (findings) =>
        full ? byAny(fault, fault.caughtBy, findings) : judgeFaulty(fault, findings, fault.caughtBy),
    };
  }

  /** The same fault under mixes that could hide it, or its condition; one named check is enough there. */
  faultyInMixes(fault: Fault, mixes: readonly Mix[], layouts: readonly Mix[]): Case[] {
    if (isRare(fault)) return [];
    const files = this.#named(fault.caughtBy).map(({ file }) => file);
    if (!fault.visibleIn && !files.some((file) => SENSITIVE.test(file))) return [];
    const { crossed, seed } = this.#options;
    const isApt = ({ variations, results }: Mix) =>
      passing(fault, results).length > 0 && !variations.some((variation) => isHidden(fault, variation));
    const drawn = sample(drawer(seed, "mixes", fault.id), mixes.filter(isApt), crossed);
    const each = files.some((file) => PAGES.test(file)) ? layouts.filter(isApt) : [];
    return [...drawn, ...each].map((mix) => this.#faultyInMix(fault, mix));
  }

  #faultyInMix(fault: Fault, { id, variations, results }: Mix): Case {
    const named = passing(fault, results);
    return {
      kind: "fault-in-mix",
      id: `${fault.id} in ${id}`,
      mutant: { fault, variations, checks: this.#withWhatTheyNeed(fault, named) },
      judge: (findings) => byAny(fault, named, findings, results.filter(isRed)),
    };
  }

  /** A sandbox that neglects a good practice everywhere, which the named checks must warn about. */
  badPractice(badPractice: BadPractice): Case {
    const warning = warningChecks(badPractice, this.checks);
    const ids = warning.map(({ id }) => id);
    return {
      kind: "bad-practice",
      id: badPractice.id,
      mutant: { badPractice, variations: [], checks: this.#withWhatTheySettle(warning) },
      judge: (findings) => judgeBadPractice(ids, findings),
    };
  }

  /** The checks that read pages of lists. */
  get pageChecks(): Listed[] {
    return this.checks.filter(({ file }) => PAGES.test(file));
  }

  #withWhatTheyNeed(fault: Fault, ids: readonly string[]): Listed[] {
    return this.#withWhatTheyJudge(fault, this.#withWhatTheySettle(this.#named(ids)));
  }

  /** The checks of transfers and of repeated references send what the checks at the end of a run judge. */
  #withWhatTheySettle(named: readonly Listed[]): Listed[] {
    const settled = named.filter(({ file }) => SETTLED.test(file)).map(({ operation }) => operation);
    return this.checks.filter(
      (check) => named.includes(check) || (SENDING.test(check.file) && settled.includes(check.operation)),
    );
  }

  /** The other checks of an operation send the requests that are judged at the end of a run. */
  #withWhatTheyJudge({ operation, visibleIn }: Fault, named: readonly Listed[]): Listed[] {
    // A fault that every request shows is in the answer to the ordinary request too.
    if (!visibleIn || !named.some(({ file }) => AT_THE_END.test(file))) return [...named];
    return this.checks.filter((check) => named.includes(check) || check.operation === operation);
  }

  #named(ids: readonly string[]): Listed[] {
    return this.checks.filter(({ id }) => ids.includes(id));
  }
}

/** Complains about a fault that turned no check red; the checks in `red` are red without the fault. */
function byAny(
  fault: Fault,
  named: readonly string[],
  findings: Findings,
  red: readonly CheckResult[] = [],
): Judged {
  const { complaints, sight, ...judged } = judgeFaulty(fault, findings, [], red);
  const isCaught = judged.red.some((id) => !red.some((other) => other.id === id));
  const said = named.map((id) => `${id} (${verdictOf(findings, id)})`);
  const missed = isCaught || isRare(fault) ? [] : [`is not caught by ${said.join(" or ")}`];
  return {
    ...judged,
    complaints: [...complaints, ...missed],
    ...(sight && { sight: { ...sight, isCaught } }),
  };
}

const isHidden = ({ id: faultId, hiddenBy = [] }: Fault, { id, hidesAny, hides = [] }: Variation) =>
  hidesAny === true || hiddenBy.includes(id) || hides.some((pattern) => glob(pattern)(faultId));

/** The named checks that can decide something under a mix. */
const passing = ({ caughtBy }: Fault, results: readonly CheckResult[]) =>
  results.flatMap(({ id, verdict }) => (verdict === "pass" && caughtBy.includes(id) ? [id] : []));
