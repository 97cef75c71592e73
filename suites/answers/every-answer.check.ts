import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import { operations } from "../../schemas/contract.ts";
import { answerToDefect, invalidRequests } from "../protocol/field-answers.ts";
import { documentsSuccessBody, isDocumented } from "./documented-bodies.ts";
import { internalsIn } from "./internals.ts";
import { everyAnswer } from "./recorded-answers.ts";

/** Secrets of the configuration that no answer may show. */
const HIDDEN = new Set([
  "SECRET_KEY",
  "SECOND_SECRET_KEY",
  "REVOKED_KEY",
  "CARD_NUMBER",
  "DECLINING_CARD_NUMBER",
  "CARD_CVV",
]);

/** RFC 8259, section 8.1: JSON on a network does not begin with one, and parsers may reject it. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

// Rules for every answer that an operation gave in this run, judged at its end.
for (const operation of operations) {
  const { id } = operation;

  if (documentsSuccessBody(operation)) {
    check(
      `${id}/answers/json`,
      "returns JSON wherever the specification documents a body",
      { must: ["R004"] },
      everyAnswer(id, (answer, ctx) => {
        const problem = isDocumented(answer, ctx) ? answer.jsonProblem : undefined;
        expectThat(!problem, answer, `${outcomeOf(answer)}, where ${problem?.text}`, "a JSON body");
      }),
    );
  }

  check(
    `${id}/answers/content-type`,
    "labels JSON as application/json",
    { should: "G09" },
    everyAnswer(id, (answer) => {
      const type = answer.header("content-type") ?? "no Content-Type";
      const isJson = answer.complete && !answer.jsonProblem;
      const isLabelled = !isJson || /^application\/([\w.-]+\+)?json\b/i.test(type);
      expectThat(isLabelled, answer, `returned JSON as ${type}`, "application/json");
    }),
  );

  check(
    `${id}/answers/no-byte-order-mark`,
    "returns JSON without a byte order mark",
    { should: "RFC 8259" },
    everyAnswer(id, (answer) => {
      const isJson = answer.complete && !answer.jsonProblem;
      const isMarked = isJson && answer.bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
      const actual = `${outcomeOf(answer)} with a byte order mark before its JSON`;
      expectThat(!isMarked, answer, actual, "JSON without one");
    }),
  );

  if (operation.private) {
    check(
      `${id}/answers/no-store`,
      "forbids caches to store its answers, which are about persons or money",
      { should: "RFC 9111" },
      everyAnswer(id, (answer) => {
        const caching = answer.header("cache-control") ?? "none";
        const isSafe = !answer.is2xx || /\b(no-store|private|no-cache)\b/i.test(caching);
        expectThat(isSafe, answer, `returned Cache-Control: ${caching}`, "no-store");
      }),
    );
  }

  check(
    `${id}/answers/no-internals`,
    "shows no stack traces, file paths or database messages",
    { critical: "OWASP API8" },
    async (ctx) => {
      // Internals show in rejections first.
      const [defect] = invalidRequests(operation);
      if (defect) await answerToDefect(ctx, id, defect);
      await everyAnswer(id, (answer) => {
        const found = internalsIn(answer.text);
        expectThat(!found, answer, `${outcomeOf(answer)} with ${found} in its body`, "no internals");
      })(ctx);
    },
  );

  check(
    `${id}/answers/no-secrets`,
    "shows no secret key, card number or security code",
    { critical: "PCI 3.4" },
    everyAnswer(id, (answer, { run }) => {
      const text = `${answer.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}\n${answer.text}`;
      const [shown] = run.redactor.leaks(text).filter((name) => HIDDEN.has(name));
      expectThat(!shown, answer, `${outcomeOf(answer)} with the value of ${shown}`, "no secret");
    }),
  );

  check(
    `${id}/answers/no-open-origin`,
    "lets no web page read its answers",
    { should: "OWASP API8" },
    everyAnswer(id, (answer) => {
      const isOpen = answer.header("access-control-allow-origin")?.trim() === "*";
      expectThat(!isOpen, answer, "returned Access-Control-Allow-Origin: *", "no access from browsers");
    }),
  );

  check(
    `${id}/answers/size`,
    "returns at most 4 MiB",
    { should: "N43" },
    everyAnswer(id, (answer) =>
      expectThat(
        !answer.oversized,
        answer,
        `${outcomeOf(answer)} with more than 4 MiB`,
        "one page of records",
      ),
    ),
  );
}
