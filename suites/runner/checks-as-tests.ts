import { beforeAll, expect, inject, test } from "vitest";
import type { CheckResult } from "../../reports/verdicts/verdict.ts";
import { certified } from "./certify.ts";
import { readChecklist } from "./checklist.ts";
import { INTERRUPTS, inSuites } from "./vitest-process.ts";

// Every check is a test of vitest. All tests that somebody chose are one run, as `npm run certify` makes it, with its
// interlocks, plan, budget, phases and reports; the tests show the verdicts. vitest loads this module before each file of
// checks, all of them in one thread.

/** The results of a run by check, or why there was none. */
interface Outcome {
  readonly results: ReadonlyMap<string, CheckResult>;
  readonly refusal?: string;
}

/** The last run that was begun in this thread. */
interface Begun {
  readonly id: string;
  readonly outcome: Promise<Outcome>;
  isTold: boolean;
}
const thread: { conformance?: Begun } & typeof globalThis = globalThis;

const { runId, files, pattern, variables } = inject("chosen");

const nameOf = ({ id, title }: Pick<CheckResult, "id" | "title">) => `${id}: ${title}`;

let outcome: Outcome = { results: new Map() };

beforeAll(async () => {
  if (thread.conformance?.id !== runId)
    thread.conformance = { id: runId, outcome: runChosen(), isTold: false };
  outcome = await thread.conformance.outcome;
  // The other files would only repeat it.
  if (outcome.refusal === undefined || thread.conformance.isTold) return;
  thread.conformance.isTold = true;
  throw Object.assign(new Error(outcome.refusal), { stack: outcome.refusal });
});

const file = inSuites(expect.getState().testPath ?? "");
for (const check of readChecklist().filter((one) => one.file === file))
  test(nameOf(check), async ({ skip, annotate }) => {
    if (outcome.refusal !== undefined) skip("the run was refused");
    const result = outcome.results.get(check.id);
    if (!result) throw new Error(`the run reported nothing about ${check.id}`);
    const { verdict, message, actual = verdict, expected = "pass" } = result;
    if (verdict === "fail" || verdict === "suite-error")
      throw Object.assign(new Error(message), { actual, expected, stack: message });
    if (verdict === "inconclusive" || verdict === "not-tested") skip(message);
    if (verdict === "warn") await annotate(message ?? "", "warning");
  });

/** Runs the chosen checks of all chosen files. */
async function runChosen(): Promise<Outcome> {
  const isChosen = pattern === undefined ? () => true : (name: string) => new RegExp(pattern).test(name);
  const all = readChecklist();
  const checks = all.filter((check) => files.includes(check.file) && isChosen(nameOf(check)));
  const argv = checks.length < all.length ? checks.map(({ id }) => `--select=${id}`) : [];
  const [printed, problems]: [string[], string[]] = [[], []];
  const into = (texts: string[]) => ({ write: (text: string) => void texts.push(text) });
  const interrupts = new BroadcastChannel(INTERRUPTS);
  // A thread gets no signals.
  interrupts.onmessage = () => process.emit("SIGINT");
  const { verdicts, exitCode } = await certified({
    argv,
    env: variables,
    stdout: into(printed),
    stderr: into(problems),
  }).finally(() => interrupts.close());
  if (!verdicts || verdicts.checks.length === 0)
    return {
      results: new Map(),
      refusal: problems.join("").trim() || `the run ended with the exit code ${exitCode}`,
    };
  const [written = ""] = /^Reports written to .*(?:\n.*)*/m.exec(printed.join("")) ?? [];
  process.stdout.write(problems.join("") + written);
  return { results: new Map(verdicts.checks.map((result) => [result.id, result])) };
}
