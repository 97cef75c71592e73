import { isDeepStrictEqual } from "node:util";
import { sent } from "../../../fixtures/engine/http/readable.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { membersOf } from "../../../fixtures/engine/http/wording.ts";
import { expectNoMismatch, expectThat } from "../../../fixtures/engine/judge/matchers.ts";
import { pathsIn, resolve, scalars } from "../../../fixtures/engine/lists/items.ts";
import { locate, readWidest } from "../../../fixtures/engine/lists/list.ts";
import { type Basis, checksIn, checksUnder } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { plural } from "../../../reports/wording.ts";
import { documentsSuccess, type OperationId, operations } from "../../../schemas/contract.ts";
import { invalidRequests, responseToDefect } from "../requests/requests.ts";
import { directionOf, expectNone, responsesOf } from "./recorded.ts";

const check = checksIn("late");

/** Secrets of the configuration that no response may show. */
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

type Judge = (response: ApiResponse, ctx: CheckContext) => void;

// Rules for every response that an operation gave in this run, judged at its end.
for (const operation of operations) {
  const { id } = operation;
  const rule = (name: string, title: string, basis: Basis, judge: Judge) =>
    check(`${id}/answers/${name}`, title, basis, (ctx) => judgeResponses(ctx, id, judge));

  if (documentsSuccess(operation))
    rule("json", "returns JSON wherever a body is documented", { must: ["R004"] }, (response, ctx) => {
      if (directionOf(response, ctx.target))
        expectNoMismatch(response, response.jsonProblem?.text, "a JSON body");
    });

  const noPage =
    "responds itself each time, without a web page that goes away when the request is sent again";
  check(`${id}/answers/no-web-page`, noPage, { should: ["R004"] }, async (ctx) => {
    await responsesOf(ctx, id);
    const pages = ctx.run.webPages.passing.filter((page) => page.operation.id === id);
    expectNone(
      ctx,
      pages,
      `${pages[0]?.outcome} with a web page to ${plural(pages.length, "request")}`,
      "JSON",
    );
  });

  // RFC 9112, section 8: a body that ends before its Content-Length is incomplete, and a client cannot read from it whether it has paid.
  rule("complete", "sends every response to its end", { critical: "RFC 9112" }, (response) => {
    const isCut = response.failure?.kind === "cut-off" || response.failure?.kind === "protocol";
    const actual = `returned ${response.status} with only a part of its body`;
    expectThat(!isCut, response, actual, "the body to its end");
  });

  rule("content-type", "labels JSON as application/json", { should: "G09" }, (response) => {
    const type = response.header("content-type") ?? "no Content-Type";
    const isLabelled = !isJson(response) || /^application\/([\w.-]+\+)?json\b/i.test(type);
    expectThat(isLabelled, response, `returned JSON as ${type}`, "application/json");
  });

  rule("no-byte-order-mark", "returns JSON without a byte order mark", { should: "RFC 8259" }, (response) => {
    const isMarked = isJson(response) && response.bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
    const actual = `${response.outcome} with a byte order mark before its JSON`;
    expectThat(!isMarked, response, actual, "JSON without one");
  });

  if (operation.private) {
    const noStore = "forbids caches to store responses about persons or money";
    rule("no-store", noStore, { should: "RFC 9111" }, (response) => {
      const caching = response.header("cache-control") ?? "none";
      const isSafe = /\b(no-store|private|no-cache)\b/i.test(caching);
      // Without a body, as in a response to OPTIONS, there is nothing to store.
      const isPrivate = response.is2xx && response.bytes.length > 0;
      expectThat(!isPrivate || isSafe, response, `returned Cache-Control: ${caching}`, "no-store");
    });
  }

  // RFC 9110, section 8.8.3: a client that knows a tag keeps what it has.
  if (operation.method === "GET")
    check(`${id}/answers/tags`, "gives other data another ETag", { critical: "RFC 9110" }, async (ctx) => {
      const tagged = (await responsesOf(ctx, id)).filter((one) => one.isSuccess && one.header("etag"));
      const known = new Map<string, ApiResponse>();
      for (const one of tagged) {
        const tag = one.header("etag");
        const key = [tag, ...sent(one, "authorization"), one.request.path].join(" ");
        const first = known.get(key) ?? one;
        known.set(key, first);
        const isSame = isDeepStrictEqual(dataIn(one), dataIn(first));
        const actual = `returned other data than before, but the same ETag, ${tag}`;
        expectThat(isSame, one, actual, "another ETag", [first]);
      }
    });

  const noInternals = "shows no stack traces, file paths or database messages";
  check(`${id}/answers/no-internals`, noInternals, { critical: "OWASP API8" }, async (ctx) => {
    // Internals show in rejections first.
    const [defect] = invalidRequests(operation);
    if (defect) await responseToDefect(ctx, id, defect, { mayBeBusy: true });
    await judgeResponses(ctx, id, (response) => {
      const found = internalsIn(response.text);
      expectThat(!found, response, `${response.outcome} with ${found} in its body`, "no internals");
    });
  });

  const noSecrets = "shows no secret key, card number or security code";
  rule("no-secrets", noSecrets, { critical: "PCI 3.4" }, (response, { run }) => {
    const text = `${response.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}\n${response.text}`;
    const [shown] = run.redactor.leaks(text).filter((name) => HIDDEN.has(name));
    expectThat(!shown, response, `${response.outcome} with the value of ${shown}`, "no secret");
  });

  rule("no-open-origin", "lets no web page read its responses", { should: "OWASP API8" }, (response) => {
    const isOpen = response.header("access-control-allow-origin")?.trim() === "*";
    expectThat(!isOpen, response, "returned Access-Control-Allow-Origin: *", "no access from browsers");
  });

  rule("size", "returns at most 4 MiB", { should: "N43" }, (response) => {
    const actual = `${response.outcome} with more than 4 MiB`;
    expectThat(!response.oversized, response, actual, "one page of records");
  });
}

/** Judges every response that the operation gave in this run. */
async function judgeResponses(ctx: CheckContext, id: OperationId, judge: Judge) {
  for (const response of await responsesOf(ctx, id)) {
    try {
      judge(response, ctx);
    } catch (error) {
      ctx.note(response);
      throw error;
    }
  }
}

/** What a response shows, without times, which are of the response. */
const dataIn = (response: ApiResponse) =>
  scalars(response.field("data")).filter(([, value]) => !/\d:\d\d/.test(String(value)));

const isJson = ({ complete, jsonProblem }: ApiResponse) => complete && !jsonProblem;

const SOFTWARE = /^(server|via|x-(powered-by|aspnet\S*|runtime|generator|version))$/i;
const REQUEST_ID = /^(x-)?(request|correlation|trace)-?id$|^traceparent$/i;

check("getProfile/answers/server-headers", "software that headers name", { observe: "G09" }, async (ctx) => {
  await responsesOf(ctx, "getProfile");
  const found = headersIn(ctx.run.allResponses, SOFTWARE, (value) => `: ${value}`);
  const seen = found.join("; ");
  ctx.observe("G09", seen ? `headers name the software: ${seen}` : "no header names the software");
});

const REQUEST_IDS = "request id in the headers of a response";
check("getProfile/answers/request-id", REQUEST_IDS, { observe: "G09" }, async (ctx) => {
  const found = headersIn(await responsesOf(ctx, "getProfile"), REQUEST_ID, (value, { requestId }) =>
    value === requestId ? " as sent" : " of its own",
  );
  const seen = found.join(", ");
  ctx.observe("G09", seen ? `responses carry ${seen}` : "responses carry no request id");
});

/** The different headers of these names; `say` makes words of a value, which follow the name. */
function headersIn(
  responses: readonly ApiResponse[],
  names: RegExp,
  say: (value: string, of: ApiResponse) => string,
) {
  const found = responses.flatMap((response) =>
    response.headers
      .filter(([name]) => names.test(name))
      .map(([name, value]) => name.toLowerCase() + say(value, response)),
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
const internalsIn = (text: string): string | undefined =>
  INTERNALS.find(([, pattern]) => pattern.test(text))?.[0];

// What the deployment does where the specification leaves it open, seen in the responses of the whole run.
for (const { id, list } of operations) {
  const check = checksUnder(`${id}/answers`, "late");

  check("path-form", "path forms under which it answers", { observe: "N14" }, async (ctx) => {
    const { pathForms, bothForms } = ctx.run.settings;
    const usual = pathForms[id] === "bare" ? "directly below the base URL" : "below the prefix";
    ctx.observe("N14", `the operation answers ${bothForms.includes(id) ? "under both path forms" : usual}`);
  });

  check("error-codes", "statuses and error codes of rejections", { observe: "N39" }, async (ctx) => {
    const rejections = (await responsesOf(ctx, id)).filter(({ is4xx }) => is4xx);
    const statuses = distinct(rejections, ({ status }) => status).join(", ");
    if (statuses !== "") ctx.observe("N39", `requests are rejected with ${statuses}`);
    const codes = distinct(rejections, (response) => response.field("code"));
    if (codes.length > 0) ctx.observe("N39", `code of a rejection is ${codes.join(" or ")}`);
  });

  if (!list) continue;

  const readLate = (ctx: CheckContext) => ctx.run.once(`late list/${id}`, () => readWidest(ctx, id));

  check("items", "fields of a list item", { observe: "N15" }, async (ctx) => {
    const { items } = await readLate(ctx);
    ctx.observe("N15", `an item has the fields ${pathsIn(items).toSorted().join(", ") || "(none)"}`);
  });

  check("beside-the-list", "members next to the list", { observe: "N16" }, async (ctx) => {
    const { pointer } = await locate(ctx, id);
    const { response } = await readLate(ctx);
    const above = pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
    ctx.observe("N16", `the list is in ${membersOf(resolve(response.json, above))}`);
  });

  check("dates", "form of the dates in a list", { observe: "G16" }, async (ctx) => {
    const { items } = await readLate(ctx);
    const dates = items
      .flatMap((item) => scalars(item))
      .map(([path, value]) => [path, dateForm(value)] as const)
      .filter(([, form]) => form);
    for (const [path, form] of new Map(dates)) ctx.observe("G16", `${path} of an item is written as ${form}`);
  });
}

/** The different scalars among some values of the responses, as JSON, in order. */
function distinct(responses: readonly ApiResponse[], read: (response: ApiResponse) => unknown): string[] {
  const values = responses.map(read).filter((value) => /^(string|number|boolean)$/.test(typeof value));
  return [...new Set(values.map((value) => JSON.stringify(value)))].toSorted();
}

/** How a text writes a date, if it is one. */
function dateForm(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return "a date (YYYY-MM-DD)";
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return `a date and time ${zoneOf(value)}`;
  return /^\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/.test(value)
    ? "a date that begins with the day or the month"
    : undefined;
}

function zoneOf(value: string): string {
  if (/Z$/.test(value)) return "in UTC";
  return /[+-]\d\d:?\d\d$/.test(value) ? "with an offset" : "without a time zone";
}
