import { describe, expect, it } from "vitest";
import { EXAMPLE_RUN, LOGGED_END, loggedAnswer, recorded } from "../testing/example-result.ts";
import { shortcomings } from "./shortcomings.ts";
import type { Summary } from "./summary.ts";

/** A run whose transfers had these outcomes. */
function measured(...outcomes: readonly (readonly [outcome: string, count: number])[]): Summary {
  const all = outcomes.flatMap(([outcome, count]) => Array.from({ length: count }, () => outcome));
  const lines = all.map((outcome, iteration) => loggedAnswer({ iteration, outcome }));
  const summary = recorded([...lines, LOGGED_END]).summary(true);
  if (!summary) throw new Error("there are no answers");
  return summary;
}

const planning = (iterations: number) => ({ ...EXAMPLE_RUN, iterations });

describe("shortcomings", () => {
  it.each([
    ["a tenth of the plan", planning(30), measured(["accepted", 3]), ["k6 started only 3 of 30 requests"]],
    ["everything", planning(4), measured(["accepted", 4]), []],
    ["one failure in twenty", planning(20), measured(["accepted", 19], ["timeout", 1]), []],
    [
      "94 failures of 99",
      planning(99),
      measured(["accepted", 5], ["connection-error", 90], ["auth-error", 4]),
      [
        "94 of 99 requests got no usable response (4 auth-error, 90 connection-error): at most 5 % is allowed, unless SLO names another limit",
      ],
    ],
    [
      "94 failures of 99 with a limit of the operator",
      { ...planning(99), objectives: { technicalFailures: 1 } },
      measured(["accepted", 5], ["unknown", 94]),
      [],
    ],
  ])("of a run that sent %s", (_, run, summary, found) => {
    expect(shortcomings(run, summary)).toEqual(found);
  });
});
