import { percent, plural } from "../../../reports/text/wording.ts";
import { MOST_LOST } from "../../breakpoint/judge-step.ts";
import { DEFAULT_LIMIT } from "../../results/failures.ts";
import { targetOf } from "../../results/headline.ts";
import { moneyText, type SearchPlan } from "./search-plan.ts";

/** Says what a search will do, what it may cost, and when it takes a rate for held. */
export function describePlan({ about, objectives, ramp, rates, seconds, most }: SearchPlan): string {
  const { target, workload } = about;
  const [lowest] = rates;
  const where = target.embedded
    ? "the embedded sandbox (a demonstration, not a deployment of yours)"
    : targetOf(about);
  const minutes = Math.ceil((ramp.seconds + most.runs * seconds) / 60);
  const failed = objectives?.technicalFailures ?? DEFAULT_LIMIT;
  const fails = failed > 0 ? `at most ${percent(failed)} of the requests fail` : "no request fails";
  return [
    `Searching the highest rate of ${workload} that ${where} holds for ${seconds} s, up to ${ramp.rate}/s:`,
    `  first a ramp to ${ramp.rate}/s in ${ramp.seconds} s, which shows where to begin;`,
    `  then at most ${plural(most.runs, "run")} of ${seconds} s at a constant rate from ${lowest}/s on (three if the ramp is right), until the bounds are within 5 %.`,
    `A rate is held if no invariant breaks, ${objectives?.latency ? "the objectives of SLO are met" : "no threshold breaks (there is no SLO, so any latency will do)"}, ${fails}, at most ${percent(MOST_LOST)} are throttled, and k6 keeps its schedule.`,
    `At most ${plural(most.requests, "request")} in ${plural(minutes, "minute")} of load; after each run, its transfers are looked up.`,
    most.money.count > 0 ? `The search moves at most ${moneyText(most.money)}.` : "No money will move.",
  ].join("\n");
}
