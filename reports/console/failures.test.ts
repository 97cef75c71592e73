import { expect, it } from "vitest";
import { exampleConsole, exampleFailure } from "../testing/example-console.ts";
import { exampleCheck, exampleStep } from "../testing/examples.ts";

it("states each rule on a line of its own", () => {
  const hardened = exampleCheck("fail", { level: "SHOULD", requirements: [], source: "RFC 9111" });

  expect(exampleConsole([exampleFailure])).toContain(
    [
      "    required by  R087 (section 4.16): A repeated transferReference never causes a second payout.",
      "    required by  R111 (section 7): Every operation returns the status codes of the table in section 7.",
    ].join("\n"),
  );
  expect(exampleConsole([hardened])).toContain("    based on     RFC 9111: HTTP Caching\n");
});

it("names the first three evidence files whole, and counts the others", () => {
  const exchanges = Array.from({ length: 12 }, (_, index) => `exchanges/${index}.json`);

  expect(exampleConsole([{ ...exampleFailure, exchanges }])).toContain(
    "    evidence     exchanges/0.json, exchanges/1.json, exchanges/2.json, 9 more in verdicts.json\n",
  );
});

it("shows a cause once, with the number of checks that it blocks, directly or through others", () => {
  const blocked = (id: string, blockedBy: string) =>
    exampleCheck("inconclusive", { id: `createTransfer/${id}`, operation: "createTransfer", blockedBy });

  const text = exampleConsole([
    exampleFailure,
    blocked("a", exampleFailure.id),
    blocked("b", "createTransfer/a"),
  ]);

  expect(text).toContain("    blocks       2 other checks, which could not run\n");
  expect(text).not.toContain("INCONCLUSIVE");
});

it("shows the requests that belong together as comments and commands to paste, and warns of what they move", () => {
  const pay = exampleStep({
    request: "POST …/create-single-transfer",
    effect: "money",
    outcome: "returned 200",
    body: '{"id":1}',
    curl: "curl -X POST",
  });
  const steps = [pay, { ...pay, decisive: true as const }, exampleStep({ outcome: "returned 200" })];

  expect(exampleConsole([{ ...exampleFailure, steps }])).toContain(
    [
      '    # 1 of 3: POST …/create-single-transfer returned 200: {"id":1}',
      "    # This moves money if the API accepts it.",
      "    curl -X POST",
      '    # 2 of 3, which decides: POST …/create-single-transfer returned 200: {"id":1}',
      "    # This moves money if the API accepts it.",
      "    curl -X POST",
      "    # 3 of 3: GET …/transfer/get-transfer-list returned 200",
      `    ${exampleStep().curl}`,
    ].join("\n"),
  );
});

it("says once, above all commands, how to load what they use", () => {
  const steps = [exampleStep()];
  const failed = [{ ...exampleFailure, steps }, exampleCheck("fail", { steps })];
  const keySource = { from: "env-file", path: "qa's.env" } as const;

  const text = exampleConsole(failed, { keySource });

  expect(text.split("first load $SECRET_KEY; this prints nothing:")).toHaveLength(2);
  expect(text).toContain(
    `  for name in SECRET_KEY; do export "$name=$(node '--env-file=qa'\\''s.env' -p "process.env.$name")"; done\n`,
  );
  expect(exampleConsole([exampleFailure])).not.toContain("To repeat these requests");
});

it("tells what follows from a missing path once, under its cause", () => {
  const of = (name: string, verdict: "fail" | "warn" | "inconclusive" | "pass") =>
    exampleCheck(verdict, { id: `getDispute/${name}`, operation: "getDispute", message: `says ${name}` });
  const blocked = { ...of("blocked", "inconclusive"), blockedBy: "getDispute/accepted" };

  const text = exampleConsole([
    of("exists", "fail"),
    of("accepted", "fail"),
    of("warned", "warn"),
    of("open", "inconclusive"),
    blocked,
    exampleCheck("warn", { message: "of another operation" }),
  ]);

  expect(text).toContain("FAILED (2)");
  expect(text).toContain(
    "    explains     the failure of getDispute/accepted, 1 warning, 1 check that could not decide\n",
  );
  expect(text).toContain("    blocks       1 other check, which could not run\n");
  expect(text).not.toMatch(/says (accepted|warned|open)/);
  expect(text).toContain("WARNINGS (1)");
  expect(text).not.toContain("INCONCLUSIVE");
});
