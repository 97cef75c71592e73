import { basename } from "node:path";
import type { Fault } from "../../../fixtures/mutants/faults/fault.ts";
import type { Variation } from "../../../fixtures/mutants/variations/variation.ts";
import type { Observation } from "../../../reports/verdicts/verdict.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import { type Listed, readChecklist } from "../../runner/checklist.ts";
import { draw, pack } from "./draw.ts";
import {
  changedItems,
  demandedOf,
  type Judged,
  judgeBaseline,
  judgeConformant,
  judgeFaulty,
} from "./judge.ts";
import { readKills } from "./kills.ts";
import { examine, type Findings, type Mutant } from "./runner.ts";

/** How many checks, other than those that must catch it, a fault meets; they show what else it turns red. */
const DRAWN_CHECKS = 10;
/** The sandboxes that one worker tests at the same time, so that their waiting times overlap. */
const AT_ONCE = { sandboxes: 64, checks: 4_000 };
/** With fewer variations, packs would tell less than each alone, and take as long. */
const WORTH_PACKING = 100;

/** Checks that look up what others sent. */
const SETTLED = /^(?!every-operation\/).*\.(after-writes|final)\.check\.ts$/;
/** Checks that send what others judge at the end of a run. */
const SENDING = /^transfers\/[\w-]+\.check\.ts$/;
/** Checks that judge, at the end of a run, what other checks sent. */
const AT_THE_END = /\.late\.check\.ts$/;

/** The mutants to try. */
export interface Mutants {
  readonly faults: readonly Fault[];
  readonly variations: readonly Variation[];
}

/** One mutant and its result. */
export interface Entry extends Judged {
  readonly kind: "baseline" | "fault" | "variation" | "pack";
  /** The id of the fault or variation; packs are numbered. */
  readonly id: string;
}

/** A mutant to try, and how its findings are judged. */
interface Case extends Pick<Entry, "kind" | "id"> {
  readonly mutant: Mutant;
  /** The same with no more checks than must turn red, and those that they need. */
  readonly alone: Mutant;
  readonly judge: (findings: Findings) => Judged;
}

export interface CampaignOptions {
  /** Of the data of the sandboxes, the drawn checks and the packs. */
  readonly seed: number;
  /** Every check that reaches a fault, and each variation alone. */
  readonly full: boolean;
  /** How many workers run checks at the same time: most of a run is waiting. */
  readonly workers: number;
  readonly onEntry: (entry: Entry) => void;
}

/** Runs the checks against mutants, and judges each by the record. */
export class Campaign {
  readonly #options: CampaignOptions;
  readonly #checks = readChecklist();
  readonly #kills = readKills();
  /** The operations that each check sends requests to. */
  readonly #reach = new Map<string, ReadonlySet<OperationId | undefined>>();
  /** The observations of the unchanged sandbox. */
  #observations: readonly Observation[] = [];

  constructor(options: CampaignOptions) {
    this.#options = options;
  }

  async run({ faults, variations }: Mutants): Promise<Entry[]> {
    const { seed, full } = this.#options;
    const isPacked = !full && variations.length >= WORTH_PACKING;
    const baseline = variations.length > 0 || full ? await this.#tryBaseline() : [];
    const packs = isPacked ? pack(seed, variations) : [];
    // The longest first; so no worker is idle while another one finishes a slow sandbox.
    const tried = await this.#try([
      ...packs.map((packed, index) => this.#conformant("pack", String(index), packed)),
      ...(isPacked ? [] : variations).map((one) => this.#conformant("variation", one.id, [one])),
      ...faults.map((fault) => this.#faulty(fault)),
    ]);
    const failed = tried.filter(({ kind, complaints }) => kind === "pack" && complaints.length > 0);
    const blamed = failed.flatMap(({ id }) => packs[Number(id)] ?? []);
    const alone = await this.#try(blamed.map((one) => this.#conformant("variation", one.id, [one])));
    return [...baseline, ...tried, ...alone];
  }

  /** Tries the unchanged sandbox twice, and learns from it which operations each check sends requests to. */
  async #tryBaseline(): Promise<Entry[]> {
    const { seed, onEntry } = this.#options;
    const mutant = { variations: [], checks: this.#checks };
    const [first, second] = await examine([mutant, mutant], seed);
    if (!first || !second) throw new Error("the findings of a mutant were lost");
    this.#observations = first.observations;
    for (const { id, operation, exchanges } of first.results) {
      const operations = exchanges.map((file) => first.requests.get(basename(file, ".json")));
      this.#reach.set(id, new Set([operation, ...operations]));
    }
    const entry: Entry = { kind: "baseline", id: "sandbox", ...judgeBaseline(first, second) };
    onEntry(entry);
    return [entry];
  }

  /** A sandbox that no check may fail; in a pack, one variation may hide what another one changes. */
  #conformant(kind: "variation" | "pack", id: string, variations: readonly Variation[]): Case {
    const hidesAny = variations.some((one) => one.hidesAny);
    const promised = hidesAny ? [] : variations.flatMap(({ changes = [] }) => changes);
    const kills = hidesAny || kind === "pack" ? undefined : this.#kills.get(`variation ${id}`);
    const names = kind === "pack" ? ` (${variations.map((one) => one.id).join(", ")})` : "";
    const mutant = { variations, checks: this.#checks };
    return {
      kind,
      id,
      mutant,
      alone: mutant,
      judge: (findings) => {
        const judged = judgeConformant(findings, kills);
        const observed = changedItems(this.#observations, findings.observations);
        const unkept = promised
          .filter((item) => !observed.includes(item))
          .map((item) => `declares that it changes ${item}, but the observation is the same`);
        return { ...judged, complaints: [...judged.complaints, ...unkept].map((text) => text + names) };
      },
    };
  }

  /** A sandbox with one fault, which turns red what the record says and nothing else. */
  #faulty(fault: Fault): Case {
    const { full, seed } = this.#options;
    const kills = this.#kills.get(`fault ${fault.id}`);
    const demanded = demandedOf(fault, kills, full);
    const named = this.#withWhatTheyNeed(fault, demanded, (kills?.possible.length ?? 0) > 0);
    // A disregarded practice may show in any check, so it meets no others than those on record.
    const others = fault.level === "SHOULD" ? [] : this.#checks.filter((check) => !named.includes(check));
    const checks = full
      ? this.#checks.filter((check) => this.#reaches(check, fault))
      : [...named, ...draw([seed, "checks", fault.id], others, DRAWN_CHECKS)];
    return {
      kind: "fault",
      id: fault.id,
      mutant: { fault, variations: [], checks },
      alone: { fault, variations: [], checks: full ? checks : named },
      judge: (findings) => judgeFaulty(fault, findings, demanded, kills),
    };
  }

  /** Whether a check sends requests to an operation that the fault changes; no other check can see it. */
  #reaches({ id, level }: Listed, { caughtBy, on = "every", ...fault }: Fault): boolean {
    if (fault.level === "SHOULD" && level !== "SHOULD") return id === caughtBy;
    return on === "every" || on.some((changed) => this.#reach.get(id)?.has(changed));
  }

  /** These checks, and those that send what they judge: checks of transfers and repeats, or all of the operation. */
  #withWhatTheyNeed({ operation }: Fault, ids: readonly string[], isOfChance: boolean): Listed[] {
    const named = this.#checks.filter(({ id }) => ids.includes(id));
    const settled = named.filter(({ file }) => SETTLED.test(file)).map((check) => check.operation);
    // A fault that every request shows is in the response to the ordinary request too.
    const needsAll = isOfChance && named.some(({ file }) => AT_THE_END.test(file) || SETTLED.test(file));
    return this.#checks.filter(
      (check) =>
        named.includes(check) ||
        (SENDING.test(check.file) && settled.includes(check.operation)) ||
        (needsAll && check.operation === operation),
    );
  }

  /** Tries cases in their order; each worker takes the next batch of those that wait. */
  async #try(cases: readonly Case[]): Promise<Entry[]> {
    const waiting = batches(cases);
    const tried = Array.from({ length: this.#options.workers }, async () => {
      const entries: Entry[] = [];
      for (let batch = waiting.shift(); batch; batch = waiting.shift())
        entries.push(...(await this.#tryBatch(batch)));
      return entries;
    });
    return (await Promise.all(tried)).flat();
  }

  async #tryBatch(batch: readonly Case[]): Promise<Entry[]> {
    const { seed, onEntry } = this.#options;
    const found = await examine(
      batch.map(({ mutant }) => mutant),
      seed,
    );
    const entries: Entry[] = [];
    for (const [place, { kind, id, alone, judge }] of batch.entries()) {
      let judged = judge(found[place] as Findings);
      // Other checks or a busy machine may hide a defect of order or timing, so a missed fault is tried once more, alone.
      // A false alarm never is.
      if (judged.isMissed) judged = judge((await examine([alone], seed))[0] as Findings);
      const entry: Entry = { kind, id, ...judged };
      onEntry(entry);
      entries.push(entry);
    }
    return entries;
  }
}

/** Groups cases, in order, into batches that one worker can test at the same time. */
function batches(cases: readonly Case[]): Case[][] {
  const made: Case[][] = [];
  let checks = 0;
  for (const one of cases) {
    const batch = made.at(-1);
    checks += one.mutant.checks.length;
    if (batch && batch.length < AT_ONCE.sandboxes && checks <= AT_ONCE.checks) batch.push(one);
    else {
      made.push([one]);
      checks = one.mutant.checks.length;
    }
  }
  return made;
}

/** One fault for each file of checks, of which the record is sure; if possible, one that leaves nothing to chance. */
export function oneForEachFile(faults: readonly Fault[]): Fault[] {
  const files = new Map(readChecklist().map(({ id, file }) => [id, file]));
  const kills = readKills();
  const sure = faults.filter(({ id, caughtBy }) => kills.get(`fault ${id}`)?.certain.includes(caughtBy));
  const ofChance = ({ id }: Fault) => kills.get(`fault ${id}`)?.possible.length ?? 0;
  // The last of those with the same file stays.
  const chosen = sure
    .toSorted((a, b) => ofChance(b) - ofChance(a))
    .map((fault) => [files.get(fault.caughtBy), fault] as const);
  return [...new Map(chosen).values()];
}
