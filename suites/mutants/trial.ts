import { Refusal } from "../../fixtures/command-line.ts";
import { faults } from "../../fixtures/sandbox/faults.ts";
import type { Fault, Variation } from "../../fixtures/sandbox/points.ts";
import { variations } from "../../fixtures/sandbox/variations.ts";
import type { CheckResult, Observation } from "../../reports/verdict.ts";
import { type Listed, readChecklist } from "../checklist.ts";
import { glob } from "../glob.ts";
import { proofread } from "./catalogue.ts";
import { drawer, mix, pack, sample } from "./draw.ts";
import { judgeConformant, judgeFaulty } from "./judge.ts";
import type { Findings, Laboratory } from "./laboratory.ts";
import type { Entry, Matrix } from "./matrix.ts";
import type { MutantOptions } from "./options.ts";

/** Checks besides the named ones that a fault meets unless --full: they show what it spreads to, bit by bit. */
const DRAWN_CHECKS = 10;
/** Mixes under which a fault of these families is tried again: with --full, and without. */
const MIXES_PER_FAULT = { full: 5, quick: 0 };
/** Where a variation could hide a defect: checks that read lists, compare repeats or count on a refusal. */
const FAMILIES = /^(idempotency|pagination|settling|environments)\/|^protocol\/authentication/;

/** What the options ask for. */
interface Selection {
  readonly faults: readonly Fault[];
  readonly variations: readonly Variation[];
}

/** The faults and variations that are wanted; throws a {@link Refusal} (2) where a pattern selects nothing. */
export function selectSpecimens({ fault, variation }: MutantOptions): Selection {
  return {
    faults: fault === undefined && variation !== undefined ? [] : select("fault", faults, fault),
    variations:
      variation === undefined && fault !== undefined ? [] : select("variation", variations, variation),
  };
}

interface Mixed {
  readonly id: string;
  readonly variations: readonly Variation[];
  readonly results: readonly CheckResult[];
}

/** Runs the checks against every sandbox that the options ask for, and judges each. */
export class Trial {
  readonly #options: MutantOptions;
  readonly #laboratory: Laboratory;
  readonly #onEntry: (entry: Entry) => void;
  readonly #checks = readChecklist();
  readonly #entries: Entry[] = [];
  #observations: readonly Observation[] | undefined;

  constructor(options: MutantOptions, laboratory: Laboratory, onEntry: (entry: Entry) => void) {
    this.#options = options;
    this.#laboratory = laboratory;
    this.#onEntry = onEntry;
  }

  async run(selection: Selection): Promise<Matrix> {
    const { seed, full, packed, shard } = this.#options;
    if (selection.variations.length > 0 && shard.part === 1) await this.#baseline();
    if (packed) await this.#packs(selection.variations);
    else for (const variation of this.#mine(selection.variations)) await this.#variation(variation);
    const mixes = await this.#mixes();
    for (const fault of this.#mine(selection.faults)) await this.#fault(fault);
    for (const fault of this.#mine(selection.faults)) await this.#faultInMixes(fault, mixes);
    const everyFault = selection.faults.length === faults.length && shard.parts === 1;
    return {
      schema: "payments-conformance/mutants@1",
      seed,
      full,
      entries: this.#entries,
      declarations: proofread(faults, variations, this.#checks),
      ...(everyFault && { uncaught: uncaught(this.#entries, this.#checks) }),
    };
  }

  /** Twice, so that what is observed of one deployment can be seen to stay the same. */
  async #baseline() {
    const first = await this.#laboratory.examine({ variations: [], checks: this.#checks });
    const second = await this.#laboratory.examine({ variations: [], checks: this.#checks });
    const judged = judgeConformant(first);
    const warned = first.results.filter(({ verdict }) => verdict === "warn");
    const open = first.results.filter(({ level, verdict }) => level === "MUST" && verdict !== "pass");
    this.#add({ kind: "baseline", id: "sandbox", variations: [] }, first, {
      ...judged,
      complaints: [
        ...judged.complaints,
        ...warned.map(({ id, message }) => `${id} warns: ${message ?? ""}`),
        ...open.flatMap(({ id, verdict, message }) =>
          verdict === "fail" ? [] : [`${id} is a MUST, yet ${verdict}: ${message ?? ""}`],
        ),
        ...changedItems(first.observations, second.observations).map(
          (item) => `${item} is observed in other words by a second run`,
        ),
      ],
    });
    this.#observations = first.observations;
  }

  async #variation(variation: Variation) {
    const findings = await this.#laboratory.examine({ variations: [variation], checks: this.#checks });
    const judged = judgeConformant(findings);
    this.#add({ kind: "variation", id: variation.id, variations: [variation.id] }, findings, judged);
  }

  async #packs(chosen: readonly Variation[]) {
    const packs = pack(drawer(this.#options.seed, "packs"), chosen);
    for (const [index, variations] of this.#mine([...packs.entries()])) {
      const findings = await this.#laboratory.examine({ variations, checks: this.#checks });
      const judged = judgeConformant(findings);
      const ids = variations.map(({ id }) => id);
      this.#add({ kind: "mix", id: `pack ${index + 1}`, variations: ids }, findings, judged);
      // Which of them it was is seen when each stands alone.
      if (judged.complaints.length > 0) for (const variation of variations) await this.#variation(variation);
    }
  }

  async #mixes(): Promise<Mixed[]> {
    const { mixes, seed } = this.#options;
    const mixed: Mixed[] = [];
    for (let number = 1; number <= mixes; number += 1) {
      const chosen = mix(drawer(seed, "mix", number), variations);
      const findings = await this.#laboratory.examine({ variations: chosen, checks: this.#checks });
      const judged = judgeConformant(findings);
      const id = String(number);
      this.#add({ kind: "mix", id, variations: chosen.map((variation) => variation.id) }, findings, judged);
      mixed.push({ id, variations: chosen, results: findings.results });
    }
    return mixed;
  }

  async #fault(fault: Fault) {
    const { full, seed } = this.#options;
    const named = this.#withWhatTheySettle(this.#named(fault.caughtBy));
    const others = this.#checks.filter((check) => !named.includes(check));
    const drawn = full ? others : sample(drawer(seed, "checks", fault.id), others, DRAWN_CHECKS);
    const findings = await this.#laboratory.examine({ fault, variations: [], checks: [...named, ...drawn] });
    const judged = judgeFaulty(fault, findings, fault.caughtBy);
    this.#add({ kind: "fault", id: fault.id, variations: [] }, findings, judged);
  }

  /** One named check is enough here: a variation may hide a fault from the other. */
  async #faultInMixes(fault: Fault, mixes: readonly Mixed[]) {
    if (!this.#named(fault.caughtBy).some(({ file }) => FAMILIES.test(file))) return;
    const { full, seed } = this.#options;
    const draw = drawer(seed, "mixes", fault.id);
    const apt = mixes.filter(
      ({ variations, results }) =>
        passing(fault, results).length > 0 && !variations.some(({ id }) => fault.hiddenBy?.includes(id)),
    );
    for (const { id, variations, results } of sample(draw, apt, MIXES_PER_FAULT[full ? "full" : "quick"])) {
      const named = passing(fault, results);
      const findings = await this.#laboratory.examine({
        fault,
        variations,
        checks: this.#withWhatTheySettle(this.#named(named)),
      });
      const judged = judgeFaulty(fault, findings, []);
      const missed = judged.red.length > 0 ? [] : [`is not caught by ${named.join(" or ")}`];
      this.#add(
        { kind: "fault-in-mix", id: `${fault.id} in ${id}`, variations: variations.map((one) => one.id) },
        findings,
        { ...judged, complaints: [...judged.complaints, ...missed] },
      );
    }
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

  #add(
    what: Pick<Entry, "kind" | "id" | "variations">,
    findings: Findings,
    judged: Omit<Entry, keyof typeof what | "checks" | "durationMs">,
  ) {
    const before = this.#observations;
    const compared = before && (what.kind === "variation" || what.kind === "mix");
    const entry: Entry = {
      ...what,
      checks: findings.results.length,
      ...judged,
      ...(compared && { observedOtherwise: changedItems(before, findings.observations) }),
      durationMs: findings.durationMs,
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

/** The MUST checks that no fault turned red: nothing shows that they can fail. */
export function uncaught(
  entries: readonly Pick<Entry, "kind" | "red">[],
  checks: readonly Listed[],
): string[] {
  const red = new Set(entries.flatMap((entry) => (entry.kind === "fault" ? entry.red : [])));
  return checks.flatMap(({ id, level }) => (level === "MUST" && !red.has(id) ? [id] : []));
}

/** The named checks that have something to say under a mix. */
const passing = ({ caughtBy }: Fault, results: readonly CheckResult[]) =>
  results.flatMap(({ id, verdict }) => (verdict === "pass" && caughtBy.includes(id) ? [id] : []));

/** Items about which other sentences were observed. */
function changedItems(before: readonly Observation[], after: readonly Observation[]): string[] {
  const sentences = (observations: readonly Observation[]) =>
    new Set(observations.map(({ item, operation, text }) => JSON.stringify([item, operation, text])));
  const [old, fresh] = [sentences(before), sentences(after)];
  const changed = [...before, ...after].filter(({ item, operation, text }) => {
    const sentence = JSON.stringify([item, operation, text]);
    return !(old.has(sentence) && fresh.has(sentence));
  });
  return [...new Set(changed.map(({ item }) => item))].toSorted();
}

function select<T extends { readonly id: string }>(kind: string, all: readonly T[], pattern = "*"): T[] {
  const matches = glob(pattern);
  const chosen = all.filter(({ id }) => matches(id));
  if (chosen.length > 0 || pattern === "*") return chosen;
  throw new Refusal(2, [
    `--${kind} ${pattern} selects nothing: give an id or a pattern; there are ${all.map(({ id }) => id).join(", ")}`,
  ]);
}
