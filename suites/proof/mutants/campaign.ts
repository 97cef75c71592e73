import { basename } from "node:path";
import { inParallel } from "../../../fixtures/engine/run/in-parallel.ts";
import type { Fault } from "../../../fixtures/mutants/faults/fault.ts";
import type { Variation } from "../../../fixtures/mutants/variations/variation.ts";
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
export async function tryMutants(
  { faults, variations }: Mutants,
  options: CampaignOptions,
): Promise<Entry[]> {
  const { seed, full } = options;
  const [checks, kills] = [readChecklist(), readKills()];
  const isPacked = !full && variations.length >= WORTH_PACKING;
  const baseline = variations.length > 0 || full ? await tryBaseline(checks, options) : undefined;
  const { entries = [], observations = [], reach = new Map() } = baseline ?? {};
  const packs = isPacked ? pack(seed, variations) : [];
  const conformantCase = (kind: "variation" | "pack", id: string, changes: readonly Variation[]): Case => {
    const mutant = { changes, isConformant: true, checks };
    const judge = conformant(changes, kills, observations);
    return { kind, id, mutant, alone: checks, judge };
  };
  const faultyCase = (fault: Fault): Case => {
    const { id } = fault;
    const met = faulty(fault, kills.get(`fault ${id}`), { checks, reach, full, seed });
    return {
      kind: "fault",
      id,
      mutant: { changes: [fault], isConformant: false, checks: met.checks },
      ...met,
    };
  };
  // The longest first; so no worker is idle while another one finishes a slow sandbox.
  const tried = await tryCases(options, [
    ...packs.map((packed, index) => conformantCase("pack", String(index), packed)),
    ...(isPacked ? [] : variations).map((one) => conformantCase("variation", one.id, [one])),
    ...faults.map(faultyCase),
  ]);
  const failed = tried.filter(({ kind, complaints }) => kind === "pack" && complaints.length > 0);
  const blamed = failed.flatMap(({ id }) => packs[Number(id)] ?? []);
  const alone = blamed.map((one) => conformantCase("variation", one.id, [one]));
  return [...entries, ...tried, ...(await tryCases(options, alone))];
}

/** Tries the unchanged sandbox twice, and learns from it which operations each check sends requests to. */
async function tryBaseline(checks: readonly Listed[], { seed, onEntry }: CampaignOptions) {
  const mutant = { changes: [], isConformant: true, checks };
  const [first, second] = await examine([mutant, mutant], seed);
  if (!first || !second) throw new Error("the findings of a mutant were lost");
  const reach = new Map(
    first.results.map(({ id, operation, exchanges }) => {
      const operations = exchanges.map((file) => first.requests.get(basename(file, ".json")));
      return [id, new Set([operation, ...operations])];
    }),
  );
  const entry: Entry = { kind: "baseline", id: "sandbox", ...judgeBaseline(first, second) };
  onEntry(entry);
  return { entries: [entry], observations: first.observations, reach };
}

async function tryCases(options: CampaignOptions, cases: readonly Case[]): Promise<Entry[]> {
  const { seed, workers, onEntry } = options;
  const entries: Entry[] = [];
  await inParallel(workers, batches(cases), async (batch) => {
    const mutants = batch.map(({ mutant }) => mutant);
    const found = await examine(mutants, seed);
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
  });
  return entries;
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
