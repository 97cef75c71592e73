import { z } from "zod";
import { type Answer, isObject } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isStatus2xx } from "../../fixtures/classify.ts";
import { controlOf } from "../../fixtures/control.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { type OperationId, operations, successSchema } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { internalsIn } from "./internals.ts";

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

/** Judges every answer that the operation gave in this run; its ordinary request is sent first. */
const everyAnswer =
  (id: OperationId, judge: (answer: Answer, bench: Bench) => void) => async (bench: Bench) => {
    const answers = await answersOf(bench, id);
    for (const answer of answers) {
      try {
        judge(answer, bench);
      } catch (error) {
        bench.note(answer);
        throw error;
      }
    }
  };

async function answersOf(bench: Bench, id: OperationId): Promise<readonly Answer[]> {
  const { notTested } = await controlOf(bench, id);
  const answers = (bench.run.answers.get(id) ?? []).filter(({ status }) => status !== undefined);
  if (answers.length === 0) throw notTested ?? new Inconclusive("no answer arrived");
  return answers;
}

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
    everyAnswer(id, (answer) => {
      const found = internalsIn(answer.text);
      if (found) throw violation(answer, `${outcomeOf(answer)} with ${found} in its body`, "no internals");
    }),
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

check("getProfile/answers/server-headers", { level: "OBSERVE", source: "G09" }, async (bench) => {
  const seen = await headersSeen(bench, /^(server|via|x-(powered-by|aspnet\S*|runtime|generator|version))$/i);
  bench.observe(
    "G09",
    seen.length > 0 ? `answers name their software: ${seen.join("; ")}` : "no header names a software",
  );
});

check("getProfile/answers/request-id", { level: "OBSERVE", source: "G09" }, async (bench) => {
  const answers = await answersOf(bench, "getProfile");
  const names = /^(x-)?(request|correlation|trace)-?id$|^traceparent$/i;
  const found = answers.flatMap(({ headers, requestId }) =>
    headers
      .filter(([name]) => names.test(name))
      .map(
        ([name, value]) => `${name.toLowerCase()} ${value === requestId ? "as it was sent" : "of its own"}`,
      ),
  );
  const distinct = [...new Set(found)].toSorted();
  bench.observe(
    "G09",
    distinct.length > 0 ? `answers carry ${distinct.join(", ")}` : "answers carry no request id",
  );
});

/** Distinct headers of these names in all answers of the run. */
async function headersSeen(bench: Bench, names: RegExp): Promise<string[]> {
  await answersOf(bench, "getProfile");
  const all = [...bench.run.answers.values()].flat().flatMap(({ headers }) => headers);
  const found = all
    .filter(([name]) => names.test(name))
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  return [...new Set(found)].toSorted();
}

/** Whether the specification shows the body of a success. */
function showsBodies(operation: Operation): boolean {
  return !isNotShown(successSchema(operation));
}

/** An answer to an ordinary request, with a status whose body the specification shows. */
function isDocumented(answer: Answer, { target }: Bench): boolean {
  const { operation, status = 0, complete } = answer;
  if (!complete || status === 401 || status === 403 || !isOrdinary(answer, target.secretKey)) return false;
  const shown = operation.responses[status] ?? (status < 300 ? operation.responses.any : operation.refusal);
  return shown !== undefined && !isNotShown(shown);
}

/** Whether a JSON body may be expected: a server that cannot read a request may not know what it is about. */
function isOrdinary({ operation, request }: Answer, secretKey: string): boolean {
  const sent = (name: string) => request.headers.find(([key]) => key === name)?.[1] ?? "";
  if (sent("Accept") !== "application/json" || sent("Authorization") !== `Bearer ${secretKey}`) return false;
  if (request.method !== operation.method) return false;
  const body = request.body?.toString("utf8") ?? "";
  if (operation.contentType === "none") return body === "";
  if (operation.contentType === "multipart/form-data")
    return /boundary=/.test(sent("Content-Type")) && /--\s*$/.test(body);
  return sent("Content-Type") === "application/json" && isJsonObject(body);
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function isNotShown(schema: z.ZodType): boolean {
  return schema instanceof z.ZodUnknown;
}
