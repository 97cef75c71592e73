import { isStatus2xx } from "../../fixtures/classify.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import { isDocumented, showsBodies } from "./documented-bodies.ts";
import { answerToWrong, wrongRequests } from "./field-answers.ts";
import { internalsIn } from "./internals.ts";
import { everyAnswer } from "./recorded-answers.ts";

/** Operations whose answers are about persons or money, so that no cache may keep them. */
const PRIVATE: ReadonlySet<string> = new Set<OperationId>([
  "getProfile",
  "createQrTransaction",
  "createCardTransaction",
  "createNddTransaction",
  "initializeVirtualAccount",
  "createTransfer",
  "listTransfers",
  "listRecipients",
  "listCustomers",
  "getDispute",
]);

/** Secrets of the configuration that no answer may show. */
const HIDDEN = new Set([
  "SECRET_KEY",
  "SECOND_SECRET_KEY",
  "REVOKED_KEY",
  "CARD_NUMBER",
  "DECLINING_CARD_NUMBER",
  "CARD_CVV",
]);

/** RFC 8259, section 8.1: JSON on a network does not begin with one, and parsers may refuse it. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

for (const operation of operations) {
  const { id } = operation;

  if (showsBodies(operation)) {
    check(
      `${id}/answers/json`,
      { level: "MUST", requirements: ["R004"] },
      everyAnswer(id, (answer, bench) => {
        if (isDocumented(answer, bench) && answer.jsonError)
          throw violation(answer, `${outcomeOf(answer)} where ${answer.jsonError}`, "a JSON body");
      }),
    );
  }
  check(
    `${id}/answers/content-type`,
    { level: "SHOULD", source: "G09" },
    everyAnswer(id, (answer) => {
      const type = answer.header("content-type") ?? "no Content-Type";
      if (answer.complete && !answer.jsonError && !/^application\/([\w.-]+\+)?json\b/i.test(type))
        throw violation(answer, `answered JSON as ${type}`, "application/json");
    }),
  );
  check(
    `${id}/answers/no-byte-order-mark`,
    { level: "SHOULD", source: "RFC 8259" },
    everyAnswer(id, (answer) => {
      if (answer.complete && !answer.jsonError && answer.bytes.subarray(0, 3).equals(BYTE_ORDER_MARK))
        throw violation(answer, `${outcomeOf(answer)} with a byte order mark before its JSON`, "JSON alone");
    }),
  );
  if (PRIVATE.has(id)) {
    check(
      `${id}/answers/no-store`,
      { level: "SHOULD", source: "RFC 9111" },
      everyAnswer(id, (answer) => {
        const caching = answer.header("cache-control") ?? "none";
        if (isStatus2xx(answer) && !/\b(no-store|private|no-cache)\b/i.test(caching))
          throw violation(answer, `answered with Cache-Control: ${caching}`, "no-store");
      }),
    );
  }
  check(
    `${id}/answers/no-internals`,
    { level: "SHOULD", critical: true, source: "OWASP API8" },
    async (bench) => {
      // Internals show in refusals first.
      const [wrong] = wrongRequests(operation);
      if (wrong) await answerToWrong(bench, id, wrong);
      await everyAnswer(id, (answer) => {
        const found = internalsIn(answer.text);
        if (found) throw violation(answer, `${outcomeOf(answer)} with ${found} in its body`, "no internals");
      })(bench);
    },
  );
  check(
    `${id}/answers/no-secrets`,
    { level: "SHOULD", critical: true, source: "PCI 3.4" },
    everyAnswer(id, (answer, { run }) => {
      const text = `${answer.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}\n${answer.text}`;
      const [shown] = run.redactor.leaks(text).filter((name) => HIDDEN.has(name));
      if (shown) throw violation(answer, `${outcomeOf(answer)} with the value of ${shown}`, "no secret");
    }),
  );
  check(
    `${id}/answers/no-open-origin`,
    { level: "SHOULD", source: "OWASP API8" },
    everyAnswer(id, (answer) => {
      if (answer.header("access-control-allow-origin")?.trim() === "*")
        throw violation(answer, "answered with Access-Control-Allow-Origin: *", "no browser to be let in");
    }),
  );
  check(
    `${id}/answers/size`,
    { level: "SHOULD", source: "N43" },
    everyAnswer(id, (answer) => {
      if (answer.oversized)
        throw violation(answer, `${outcomeOf(answer)} with more than 4 MiB`, "a page of records");
    }),
  );
}
