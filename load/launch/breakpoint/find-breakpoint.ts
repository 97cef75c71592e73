import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolderBelow, suiteIdentity, timestamp } from "../../../fixtures/config/run-folder.ts";
import type { Target } from "../../../fixtures/config/target.ts";
import { Redactor } from "../../../fixtures/redaction/redaction.ts";
import { earlierRuns } from "../../../reports/run-folders.ts";
import { print } from "../../../reports/text/command.ts";
import { BREAKPOINT, type Breakpoint, type BreakpointStep } from "../../breakpoint/breakpoint-result.ts";
import { conclude, ENDING, type EndedBy } from "../../breakpoint/conclude.ts";
import { brokenInvariants, judgeStep, notesOn } from "../../breakpoint/judge-step.ts";
import { hintOf } from "../../breakpoint/ramp.ts";
import { renderBreakpoint, renderBreakpointSummary, stepLine } from "../../breakpoint/render.ts";
import { nextTry, REPEATS, type Try } from "../../breakpoint/search.ts";
import { writeJson } from "../../results/files.ts";
import { readResults } from "../../results/read-result.ts";
import type { LoadResult } from "../../results/result.ts";
import { publish } from "../../results/write-results.ts";
import { ChildRuns, inheritedWithout } from "../../runs/child-runs.ts";
import type { SearchOptions } from "../options.ts";
import { describePlan } from "./describe-plan.ts";
import { type DraftOf, planSearch, type SearchPlan, type SearchRun, variablesOf } from "./search-plan.ts";

/**
 * Runs `npm run load -- breakpoint`: searches the highest rate that the target holds, first with a ramp, then with runs of
 * constant rate. Each run is an ordinary one, with its own folder, reconciliation and ledger.
 */
export async function findBreakpoint(
  options: SearchOptions,
  target: Target,
  draftOf: DraftOf,
): Promise<number> {
  const plan = await planSearch(options, target, draftOf);
  print(describePlan(plan));
  if (options.dryRun) return 0;
  const startedAt = new Date();
  const directory = makeFolderBelow(options.out, `breakpoint-${timestamp(startedAt)}`);
  const search = new Search(options, plan, directory);
  const endedBy = await search.run();
  const { steps } = search;
  const { about, objectives, seconds, ramp, most } = plan;
  const found: Breakpoint = {
    schema: "payments-conformance/breakpoint@1",
    suite: suiteIdentity(),
    target: about.target,
    workload: about.workload,
    client: about.client,
    top: ramp.rate,
    seconds,
    ...(objectives && { objectives }),
    startedAt: startedAt.toISOString(),
    finishedAt: new Date().toISOString(),
    command: ["npm run load --", ...process.argv.slice(2)].join(" "),
    steps,
    money: { most: most.money, kept: sumOfKept(steps) },
    ...conclude(steps, endedBy),
  };
  writeJson(join(directory, BREAKPOINT), found);
  writeFileSync(join(directory, "breakpoint.md"), renderBreakpointSummary(found));
  return publish(
    {
      ...found,
      directory,
      title: "Breakpoint search",
      render: (options) => renderBreakpoint(found, options),
      summary: renderBreakpointSummary(found),
    },
    new Redactor(target.secrets),
  );
}

const sumOfKept = (steps: readonly BreakpointStep[]) => ({
  count: steps.reduce((sum, { kept }) => sum + kept.count, 0),
  total: steps.reduce((sum, { kept }) => sum + kept.total, 0),
});

/** Runs the steps of a search, one after the other, and keeps what they showed. */
class Search {
  readonly steps: BreakpointStep[] = [];
  readonly #options: SearchOptions;
  readonly #plan: SearchPlan;
  readonly #directory: string;
  #repeats = REPEATS;

  constructor(options: SearchOptions, plan: SearchPlan, directory: string) {
    this.#options = options;
    this.#plan = plan;
    this.#directory = directory;
  }

  /** Searches to the end; returns the exit code of a run that ended the search before. */
  async run(): Promise<EndedBy | undefined> {
    const runs = new ChildRuns();
    try {
      return await this.#search(runs);
    } finally {
      runs.release();
    }
  }

  async #search(runs: ChildRuns): Promise<EndedBy | undefined> {
    const { ramp, rates, seconds } = this.#plan;
    const first = await this.#step(runs, ramp);
    if (typeof first === "number") return first;
    if (first.state === "defect") return undefined;
    const { from = ramp.rate } = first;
    const begin = rates.findLastIndex((rate) => rate <= from);
    const tries: Try[] = [];
    for (;;) {
      const index = nextTry(rates.length, begin, tries);
      const rate = rates[index ?? -1];
      if (index === undefined || rate === undefined) return undefined;
      const step = await this.#step(runs, { profile: "average", rate, seconds });
      if (typeof step === "number") return step;
      if (step.state === "defect") return undefined;
      if (step.state !== "repeated") tries.push({ index, held: step.state === "held" });
    }
  }

  /** Runs one step; returns what it showed, or the exit code with which it ends the search. */
  async #step(runs: ChildRuns, run: SearchRun): Promise<BreakpointStep | EndedBy> {
    const folder = `${this.steps.length + 1}-${run.profile === "average" ? `${run.rate}` : "ramp"}`;
    const path = makeFolderBelow(this.#directory, folder);
    const { workload, client, arrivals } = this.#options;
    const args = [
      ...(typeof workload === "string" ? [workload] : ["--mix", workload.file]),
      ...["--profile", run.profile, "--client", client, "--out", path],
      ...(arrivals ? ["--arrivals", arrivals] : []),
    ];
    const code = await runs.run(args, { ...inheritedWithout([]), ...variablesOf(run) });
    const result = resultBelow(path);
    if (result) {
      const step = this.#repeated({ ...stepOf(run, result, this.#plan), folder });
      this.steps.push(step);
      print(stepLine(step));
      if (step.state !== "stopped" && code !== 130) return step;
    }
    return ENDING.find((one) => one === code) ?? 70;
  }

  /** A rate at which only the generator broke is tried once more, as long as repeats are left. */
  #repeated(step: BreakpointStep): BreakpointStep {
    const isGenerator = step.kind === "hold" && step.causes[0]?.kind === "generator";
    if (!isGenerator || this.#repeats === 0) return step;
    this.#repeats -= 1;
    return { ...step, state: "repeated" };
  }
}

/** The result of the only run below a folder, if it has ended. */
function resultBelow(path: string): LoadResult | undefined {
  return earlierRuns(path).some(({ ended }) => ended) ? readResults(path)[0] : undefined;
}

function stepOf({ profile, rate, seconds }: SearchRun, result: LoadResult, plan: SearchPlan) {
  const judged = judgeStep(result, plan.about.steps);
  const isJudged = judged.state === "held" || judged.state === "broke";
  return {
    ...judged,
    ...(profile === "breakpoint" && isJudged && judgeRamp(result)),
    kind: profile === "breakpoint" ? "ramp" : "hold",
    rate,
    seconds,
    defects: brokenInvariants(result),
    notes: notesOn(result),
    requests: result.measured?.iterations ?? 0,
    kept: result.money.kept,
  } as const;
}

function judgeRamp(result: LoadResult) {
  const { rate, causes } = hintOf(result);
  return causes.length > 0
    ? ({ state: "broke", causes, from: Number(rate.toPrecision(3)) } as const)
    : ({ state: "held", causes } as const);
}
