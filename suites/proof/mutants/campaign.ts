import { basename } from "node:path";
import type { Fault } from "../../../fixtures/mutants/faults/fault.ts";
import type { Variation } from "../../../fixtures/mutants/variations/variation.ts";
import type { Observation } from "../../../reports/verdicts/verdict.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import { type Listed, readChecklist } from "../../runner/checklist.ts";
import { conformant, judgeBaseline } from "./conformant.ts";
import { pack } from "./draw.ts";
import { type Entry, faulty, type Judged, readKills } from "./kills.ts";
import { examine, type Findings, type Mutant } from "./runner.ts";

/** The sandboxes that one worker tests at the same time, so that their waiting times overlap. */
const AT_ONCE = { sandboxes: 64, checks: 4_000 };
/** With fewer variations, packs would tell less than each alone, and take as long. */
const WORTH_PACKING = 100;

/** The mutants to try. */
export interface Mutants {
  readonly faults: readonly Fault[];
  readonly variations: readonly Variation[];
}

/** A mutant to try, and how its findings are judged. */
interface Case extends Pick<Entry, "kind" | "id"> {
  readonly mutant: Mutant;
  /** Those of its checks that must turn red, and the checks that they need. */
  readonly alone: readonly Listed[];
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
    const mutant = { changes: [], isConformant: true, checks: this.#checks };
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

  #conformant(kind: "variation" | "pack", id: string, variations: readonly Variation[]): Case {
    const judge = conformant(variations, this.#kills.get(`${kind} ${id}`), this.#observations);
    const mutant = { changes: variations, isConformant: true, checks: this.#checks };
    return { kind, id, mutant, alone: this.#checks, judge };
  }

  #faulty(fault: Fault): Case {
    const { full, seed } = this.#options;
    const selection = { checks: this.#checks, reach: this.#reach, full, seed };
    const { checks, ...met } = faulty(fault, this.#kills.get(`fault ${fault.id}`), selection);
    const mutant = { changes: [fault], isConformant: false, checks };
    return { kind: "fault", id: fault.id, mutant, ...met };
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
    for (const [place, { kind, id, mutant, alone, judge }] of batch.entries()) {
      let judged = judge(found[place] as Findings);
      // Other checks or a busy machine may hide a defect of order or timing, so a missed fault is tried once more, alone.
      // A false alarm never is.
      if (judged.isMissed)
        judged = judge((await examine([{ ...mutant, checks: alone }], seed))[0] as Findings);
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
