import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { outcomeOf } from "../../../fixtures/engine/http/wording.ts";
import { expectNoMismatch, expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import { type Basis, check } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { documentsSuccess, type OperationId, operations } from "../../../schemas/contract.ts";
import { answerToDefect, invalidRequests } from "../statuses-and-bodies/requests.ts";
import { directionOf } from "./judged-answers.ts";
import { answersOf } from "./recorded-answers.ts";

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

type Judge = (answer: Answer, ctx: CheckContext) => void;

// Rules for every answer that an operation gave in this run, judged at its end.
for (const operation of operations) {
  const { id } = operation;
  const rule = (name: string, title: string, basis: Basis, judge: Judge) =>
    check(`${id}/answers/${name}`, title, basis, (ctx) => judgeAnswers(ctx, id, judge));

  if (documentsSuccess(operation))
    rule("json", "returns JSON wherever a body is documented", { must: ["R004"] }, (answer, ctx) => {
      if (directionOf(answer, ctx.target)) expectNoMismatch(answer, answer.jsonProblem?.text, "a JSON body");
    });

  // RFC 9112, section 8: a body that ends before its Content-Length is incomplete.
  rule("complete", "sends every answer to its end", { should: "RFC 9112" }, (answer) => {
    const isCut = answer.failure?.kind === "cut-off" || answer.failure?.kind === "protocol";
    const actual = `returned ${answer.status} with only a part of its body`;
    expectThat(!isCut, answer, actual, "the body to its end");
  });

  rule("content-type", "labels JSON as application/json", { should: "G09" }, (answer) => {
    const type = answer.header("content-type") ?? "no Content-Type";
    const isLabelled = !isJson(answer) || /^application\/([\w.-]+\+)?json\b/i.test(type);
    expectThat(isLabelled, answer, `returned JSON as ${type}`, "application/json");
  });

  const noMark = "returns JSON without a byte order mark";
  rule("no-byte-order-mark", noMark, { should: "RFC 8259" }, (answer) => {
    const isMarked = isJson(answer) && answer.bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
    const actual = `${outcomeOf(answer)} with a byte order mark before its JSON`;
    expectThat(!isMarked, answer, actual, "JSON without one");
  });

  if (operation.private) {
    const noStore = "forbids caches to store its answers, which are about persons or money";
    rule("no-store", noStore, { should: "RFC 9111" }, (answer) => {
      const caching = answer.header("cache-control") ?? "none";
      const isSafe = !answer.is2xx || /\b(no-store|private|no-cache)\b/i.test(caching);
      expectThat(isSafe, answer, `returned Cache-Control: ${caching}`, "no-store");
    });
  }

  const noInternals = "shows no stack traces, file paths or database messages";
  check(`${id}/answers/no-internals`, noInternals, { critical: "OWASP API8" }, async (ctx) => {
    // Internals show in rejections first.
    const [defect] = invalidRequests(operation);
    if (defect) await answerToDefect(ctx, id, defect);
    await judgeAnswers(ctx, id, (answer) => {
      const found = internalsIn(answer.text);
      expectThat(!found, answer, `${outcomeOf(answer)} with ${found} in its body`, "no internals");
    });
  });

  const noSecrets = "shows no secret key, card number or security code";
  rule("no-secrets", noSecrets, { critical: "PCI 3.4" }, (answer, { run }) => {
    const text = `${answer.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}\n${answer.text}`;
    const [shown] = run.redactor.leaks(text).filter((name) => HIDDEN.has(name));
    expectThat(!shown, answer, `${outcomeOf(answer)} with the value of ${shown}`, "no secret");
  });

  rule("no-open-origin", "lets no web page read its answers", { should: "OWASP API8" }, (answer) => {
    const isOpen = answer.header("access-control-allow-origin")?.trim() === "*";
    expectThat(!isOpen, answer, "returned Access-Control-Allow-Origin: *", "no access from browsers");
  });

  rule("size", "returns at most 4 MiB", { should: "N43" }, (answer) => {
    const actual = `${outcomeOf(answer)} with more than 4 MiB`;
    expectThat(!answer.oversized, answer, actual, "one page of records");
  });
}

/** Judges every answer that the operation gave in this run. */
async function judgeAnswers(ctx: CheckContext, id: OperationId, judge: Judge) {
  for (const answer of await answersOf(ctx, id)) {
    try {
      judge(answer, ctx);
    } catch (error) {
      ctx.note(answer);
      throw error;
    }
  }
}

const isJson = ({ complete, jsonProblem }: Answer) => complete && !jsonProblem;

const SOFTWARE = /^(server|via|x-(powered-by|aspnet\S*|runtime|generator|version))$/i;
const REQUEST_ID = /^(x-)?(request|correlation|trace)-?id$|^traceparent$/i;

const SERVER_HEADERS = "names its software in headers, or does not";
check("getProfile/answers/server-headers", SERVER_HEADERS, { observe: "G09" }, async (ctx) => {
  await answersOf(ctx, "getProfile");
  const found = headersIn([...ctx.run.answers.values()].flat(), SOFTWARE, (value) => `: ${value}`);
  const seen = found.join("; ");
  ctx.observe("G09", seen ? `headers name the software: ${seen}` : "no header names the software");
});

check("getProfile/answers/request-id", "returns a request id or not", { observe: "G09" }, async (ctx) => {
  const found = headersIn(await answersOf(ctx, "getProfile"), REQUEST_ID, (value, { requestId }) =>
    value === requestId ? " as sent" : " of its own",
  );
  const seen = found.join(", ");
  ctx.observe("G09", seen ? `responses carry ${seen}` : "responses carry no request id");
});

/** The different headers of these names; `say` makes words of a value, which follow the name. */
function headersIn(answers: readonly Answer[], names: RegExp, say: (value: string, of: Answer) => string) {
  const found = answers.flatMap((answer) =>
    answer.headers
      .filter(([name]) => names.test(name))
      .map(([name, value]) => name.toLowerCase() + say(value, answer)),
  );
  return [...new Set(found)].toSorted();
}

/** Traces of a framework's error page or of a database message in a body. */
const INTERNALS: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    "a stack trace",
    /\bat (async )?[\w.$<>]+ \(?[^\s()"]+\.[cm]?[jt]sx?:\d+:\d+|\bat [\w.$]+\([\w$]+\.java:\d+\)/,
  ],
  ["a stack trace", /Traceback \(most recent call last\)|\bFile "[^"]+\.py", line \d+/],
  ["a stack trace", /\b(java|javax|org|com)\.[\w.]+(Exception|Error)\b|\bSystem\.\w+Exception\b/],
  ["a stack trace", /\bgoroutine \d+ \[running\]|#\d+ \/[\w/.-]+\.php\(\d+\)/],
  [
    "a file path",
    /(?:^|[\s"'(])(?:\/(?:usr|var|home|opt|srv|app|src|root)\/|[A-Z]:\\)[\w./\\@-]+\.(?:[cm]?[jt]s|py|rb|php|go|java|cs)\b/,
  ],
  ["a file path", /\bnode_modules\/[\w@.-]+/],
  [
    "a database message",
    /\bSQLSTATE\b|\bORA-\d{5}\b|\bsyntax error at or near\b|You have an error in your SQL syntax/i,
  ],
  [
    "a database message",
    /\b(duplicate key value violates unique constraint|relation "[^"]+" does not exist)/i,
  ],
  ["SQL", /\b(SELECT\s[\w\s,.*"`]+\sFROM\s["`\w.]+|INSERT INTO\s["`\w.]+\s*\(|UPDATE\s["`\w.]+\sSET\s)/],
  [
    "a framework's page",
    /Werkzeug Debugger|DisallowedHost at \/|Whoops, looks like something went wrong|Whitelabel Error Page/,
  ],
];

/** The kind of internals that a body shows; `undefined` if it shows none. */
function internalsIn(text: string): string | undefined {
  return INTERNALS.find(([, pattern]) => pattern.test(text))?.[0];
}
