import {
  type ApiResponse,
  type CheckOptions,
  checksIn,
  checksUnder,
  demand,
  demandBody,
  ifDecided,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { plural } from "../../../reports/wording.ts";
import { anyValue } from "../../../schemas/bodies.ts";
import {
  documentsRejection,
  documentsSuccess,
  operations,
  statusRequirement,
  successBodyRequirements,
} from "../../../schemas/contract.ts";
import { listsNoServerError, neededByCondition } from "../../../schemas/operation.ts";
import { invalidRequests, responsesToDefects, responseToDefect } from "../requests.ts";
import { isAllowed } from "./failures.ts";
import { internalsIn } from "./internals.ts";
import {
  directionOf,
  enoughResponses,
  expectNone,
  expectShapes,
  type Judge,
  judgeResponses,
  responsesOf,
} from "./recorded.ts";
import {
  allowedRequests,
  expectNoCertainError,
  expectNoFailure,
  expectNoForeignRejection,
  expectSteady,
  rejectionWith500,
  withoutCertain,
} from "./server-errors.ts";

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

// Rules for every response that an operation gave in this run, judged at its end.
for (const operation of operations) {
  const { id } = operation;
  const rule = (name: string, title: string, basis: CheckOptions, judge: Judge) =>
    check(`${id}/answers/${name}`, title, basis, (ctx) => judgeResponses(ctx, id, judge));

  if (documentsSuccess(operation))
    rule("json", "returns JSON wherever a body is documented", { must: ["R004"] }, (response, ctx) => {
      if (directionOf(response, ctx.target)) demandBody(response, anyValue(), "a JSON body");
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
    demand(!isCut, response, actual, "the body to its end");
  });

  rule("content-type", "labels JSON as application/json", { should: "G09" }, (response) => {
    const type = response.header("content-type") ?? "no Content-Type";
    const isLabelled = !isJson(response) || /^application\/([\w.-]+\+)?json\b/i.test(type);
    demand(isLabelled, response, `returned JSON as ${type}`, "application/json");
  });

  rule("no-byte-order-mark", "returns JSON without a byte order mark", { should: "RFC 8259" }, (response) => {
    const isMarked = isJson(response) && response.bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
    const actual = `${response.outcome} with a byte order mark before its JSON`;
    demand(!isMarked, response, actual, "JSON without one");
  });

  if (operation.private) {
    const noStore = "forbids caches to store responses about persons or money";
    rule("no-store", noStore, { should: "RFC 9111" }, (response) => {
      const caching = response.header("cache-control") ?? "none";
      const isSafe = /\b(no-store|private|no-cache)\b/i.test(caching);
      // Without a body, as in a response to OPTIONS, there is nothing to store.
      const isPrivate = response.statusClass === 2 && response.bytes.length > 0;
      demand(!isPrivate || isSafe, response, `returned Cache-Control: ${caching}`, "no-store");
    });
  }

  rule("no-open-origin", "lets no web page read its responses", { should: "OWASP API8" }, (response) => {
    const isOpen = response.header("access-control-allow-origin")?.trim() === "*";
    demand(!isOpen, response, "returned Access-Control-Allow-Origin: *", "no access from browsers");
  });

  const noInternals = "shows no stack traces, file paths or database messages";
  check(`${id}/answers/no-internals`, noInternals, { critical: "OWASP API8" }, async (ctx) => {
    // Internals show in rejections first.
    const [defect] = invalidRequests(operation);
    if (defect) await responseToDefect(ctx, id, defect, { mayBeBusy: true });
    await judgeResponses(ctx, id, (response) => {
      const found = internalsIn(response.text);
      demand(!found, response, `${response.outcome} with ${found} in its body`, "no internals");
    });
  });

  const noSecrets = "shows no secret key, card number or security code";
  rule("no-secrets", noSecrets, { critical: "PCI 3.4" }, (response, { run }) => {
    const text = `${response.headers.map(([name, value]) => `${name}: ${value}`).join("\n")}\n${response.text}`;
    const [shown] = run.redactor.leaks(text).filter((name) => HIDDEN.has(name));
    demand(!shown, response, `${response.outcome} with the value of ${shown}`, "no secret");
  });

  rule("size", "returns at most 4 MiB", { should: "N43" }, (response) => {
    const actual = `${response.outcome} with more than 4 MiB`;
    demand(!response.oversized, response, actual, "one page of records");
  });
}

const isJson = ({ complete, jsonProblem }: ApiResponse) => complete && !jsonProblem;

// Every response that an operation gave in this run has the documented form, not only those that a check asked for.
// An operation whose request is undocumented gets a single one, which the check of its acceptance judges.
for (const operation of operations.filter(({ fieldProbes }) => fieldProbes !== "none")) {
  const { id, requirements } = operation;

  if (documentsSuccess(operation)) {
    const title = "returns the documented status and body with every success";
    const must = successBodyRequirements(operation);
    check(`${id}/answers/success-shape`, title, { must }, async (ctx) => {
      const { response: control, notTested } = await enoughResponses(ctx, id);
      const judged = await expectShapes(ctx, id, "success", control);
      if (judged === 0) throw notTested ?? undecided("no request of this run was accepted", `${id}/accepted`);
    });
  }

  if (documentsRejection(operation)) {
    const title = "returns the documented error body with every rejection";
    check(`${id}/answers/rejection-shape`, title, { must: requirements.rejection ?? [] }, async (ctx) => {
      await responsesOf(ctx, id);
      // In a run of all checks, these have been sent before.
      const bound = operation.bound.filter((one) => neededByCondition(operation, one).length === 0);
      await ifDecided(responsesToDefects(ctx, id, [...invalidRequests(operation), ...bound]));
      await expectShapes(ctx, id, "rejection");
    });
  }
}

// The statuses of all responses of the run, whichever check asked for them, also those to simultaneous requests.
for (const operation of operations) {
  const { id, noun, effect } = operation;
  const { recordedRejection, singleUse, fieldProbes, takes } = operation;

  if (listsNoServerError(operation)) {
    const title = "returns a status of its row in section 7 to every readable request with a valid key";
    check(`${id}/answers/listed-status`, title, { must: ["R111"] }, async (ctx) => {
      await responsesOf(ctx, id);
      await ifDecided(responsesToDefects(ctx, id, invalidRequests(operation)));
      await expectNoCertainError(ctx, id);
      expectNoForeignRejection(ctx, id);
    });
  }

  const noError =
    "responds in time and without a server error to every request that the specification allows";
  check(`${id}/answers/no-server-error`, noError, { critical: "practice" }, async (ctx) => {
    const allowed = await allowedRequests(ctx, id);
    const isRejection = await rejectionWith500(ctx, id, allowed);
    const failed = allowed.filter(
      (response) =>
        (response.isServerError || response.isUnanswered) &&
        !isRejection(response) &&
        !ctx.run.webPages.mayPass(response),
    );
    const left = await withoutCertain(ctx, id, failed);
    expectNoFailure(ctx, left, `${plural(allowed.length, "request")} that the specification allows`);
  });

  const defects = invalidRequests(operation);
  if (defects.length > 0) {
    const title = "does not crash on invalid requests";
    check(`${id}/rejections/no-crash`, title, { should: "practice" }, async (ctx) => {
      const sent = await responsesToDefects(ctx, id, defects);
      const others = ctx.run
        .responsesTo(id)
        .filter((response) => ctx.couldRead(response) && !isAllowed(response, ctx.target));
      const invalid = [...new Set([...sent, ...others])];
      const failed = invalid.filter((response) => response.isServerError || response.isUnanswered);
      const left = await withoutCertain(ctx, id, failed);
      expectNoFailure(ctx, left, `${plural(invalid.length, "invalid request")}`);
    });
  }

  // The suite sends an undocumented request once, and what serves once, or looks like a duplicate, may be rejected.
  const mayBeDuplicate = effect === "money" && !recordedRejection && !takes;
  if (singleUse || fieldProbes === "none" || mayBeDuplicate) continue;
  const steady = `goes on accepting ${noun} that it accepted before`;
  check(`${id}/answers/steady`, steady, { must: [statusRequirement(operation)] }, async (ctx) => {
    await expectSteady(ctx, id);
    // Only now, so that the other requests are judged even if the ordinary one was rejected.
    await ctx.ordinary(id);
  });
}

// What the deployment does where the specification leaves it open, seen in the responses of the whole run.
for (const { id } of operations) {
  const check = checksUnder(`${id}/answers`, "late");

  const open = "path forms under which it answers, and error codes of its rejections";
  check("path-form", open, { observe: "N14,N39" }, async (ctx) => {
    const { pathForms, bothForms } = ctx.run.settings.found;
    const usual = pathForms[id] === "bare" ? "directly below the base URL" : "below the prefix";
    ctx.observe("N14", `the operation answers ${bothForms.includes(id) ? "under both path forms" : usual}`);
    const rejections = (await responsesOf(ctx, id)).filter(({ statusClass }) => statusClass === 4);
    const statuses = distinct(rejections, ({ status }) => status).join(", ");
    if (statuses !== "") ctx.observe("N39", `requests are rejected with ${statuses}`);
    const codes = distinct(rejections, (response) => response.field("code"));
    if (codes.length > 0) ctx.observe("N39", `code of a rejection is ${codes.join(" or ")}`);
  });
}

function distinct(responses: readonly ApiResponse[], read: (response: ApiResponse) => unknown): string[] {
  const values = responses.map(read).filter((value) => /^(string|number|boolean)$/.test(typeof value));
  return [...new Set(values.map((value) => JSON.stringify(value)))].toSorted();
}
