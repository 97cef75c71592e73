import { element, seconds, text } from "../../../reports/formats/xml.ts";
import type { LoadResult } from "../result.ts";
import type { Threshold } from "../summary.ts";

/** A test case, and what its element holds; `kind` is what the case counts as. */
interface Case {
  readonly name: string;
  readonly kind: "passed" | "failures" | "errors" | "skipped";
  readonly content: readonly string[];
}

/**
 * Renders `junit.xml`, with a suite for the invariants, one for the thresholds and one for the run. What is undecided is
 * skipped with its reason, a warning is output, and a run without a verdict is an error: it must not look green.
 */
export function renderLoadJunit(result: LoadResult): string {
  const duration = Date.parse(result.finishedAt) - Date.parse(result.startedAt);
  const suites = [
    { name: "run", cases: [verdict(result), ...result.problems.map(problem)] },
    { name: "invariants", cases: result.invariants.map(invariant) },
    { name: "thresholds", cases: (result.measured?.thresholds ?? []).map(threshold) },
  ].filter(({ cases }) => cases.length > 0);
  const elements = suites.map(({ name, cases }) =>
    element(
      "testsuite",
      { name: `load.${name}`, ...tally(cases), time: seconds(0), timestamp: result.startedAt },
      cases.map((one) => testcase(name, one)),
    ),
  );
  const { skipped: _, ...counts } = tally(suites.flatMap(({ cases }) => cases));
  const totals = { name: "payments-conformance load", ...counts, time: seconds(duration) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", totals, elements)}\n`;
}

function tally(cases: readonly Case[]) {
  const count = (kind: Case["kind"]) => cases.filter((one) => one.kind === kind).length;
  return {
    tests: cases.length,
    failures: count("failures"),
    errors: count("errors"),
    skipped: count("skipped"),
  };
}

const testcase = (suite: string, { name, content }: Case) =>
  element("testcase", { classname: `load.${suite}`, name, time: seconds(0) }, content);

const output = (content: string) => element("system-out", {}, [text(content)]);

function verdict({ outcome, because, workload, profile }: LoadResult): Case {
  const name = `the run of ${workload} with the profile ${profile.name} has a verdict`;
  return outcome === "passed" || outcome === "failed"
    ? { name, kind: "passed", content: [output(because)] }
    : { name, kind: "errors", content: [element("error", { message: because, type: outcome })] };
}

const problem = (message: string): Case => ({
  name: message,
  kind: "errors",
  content: [element("error", { message, type: "problem" })],
});

function invariant({ id, title, state, text: found, references }: LoadResult["invariants"][number]): Case {
  const name = `${id} ${title}`;
  const list = references.join("\n");
  switch (state) {
    case "broken":
      return {
        name,
        kind: "failures",
        content: [element("failure", { message: found, type: id }, [text(list)])],
      };
    case "undecided":
    case "unjudged":
      return { name, kind: "skipped", content: [element("skipped", { message: found }), output(list)] };
    case "warned":
      return { name, kind: "passed", content: [output(`warning: ${found}\n${list}`)] };
    default:
      return { name, kind: "passed", content: [output(found)] };
  }
}

function threshold({ text: name, ok, isJudged }: Threshold): Case {
  if (isJudged === false) return { name, kind: "skipped", content: [element("skipped", { message: name })] };
  return ok
    ? { name, kind: "passed", content: [] }
    : { name, kind: "failures", content: [element("failure", { message: name, type: "threshold" })] };
}
