import {
  type ApiResponse,
  type CheckContext,
  type CheckOptions,
  checksIn,
  checksUnder,
  demand,
  demandBody,
  demandBound,
  demandNoCrash,
  demandNotDone,
  demandRejected,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { isErrorWord, isUndocumented } from "../../../schemas/bodies.ts";
import { contract, jsonOperations, operations, routedApart } from "../../../schemas/contract.ts";
import { marksRequired, rejectionTitle } from "../../../schemas/operation.ts";
import { fieldProbes, isLenient, rejectedRequests } from "../../../schemas/probes.ts";
import {
  consentToRepeat,
  invalidRequests,
  needExpendable,
  responsesToDefects,
  responseToDefect,
} from "../requests.ts";
import { fateOf, sendBytes, sendFirstKeyTwice, sendMalformed, sendText, sendUnknown } from "./http.ts";
import { expectNonePaid, expectNothingMade, notLookedUp } from "./leave-nothing.ts";
import {
  documentedRejections,
  hasErrorWord,
  isAbsent,
  optionsOf,
  recordBodyOf400,
  sendInChunks,
  sendLeast,
  titleOf,
} from "./rejections.ts";

const check = checksIn("probes");

// One field of a valid request is wrong: the API must not carry the request out, and should not crash.
for (const operation of operations) {
  const { id, noun } = operation;
  for (const probe of fieldProbes(operation)) {
    const { field, kind, level, defects } = probe;
    const title = titleOf(noun, probe);
    check(`${id}/${field}/${kind}`, title, optionsOf(id, probe), async (ctx) => {
      if (isLenient(probe)) needExpendable(ctx, id);
      for (const defect of defects) {
        const { what } = defect;
        const response = await responseToDefect(ctx, id, defect);
        if (level === "OBSERVE") {
          ctx.observe("N18", `${noun} when ${what} ${response.fate}`);
          continue;
        }
        await demandRejected(ctx, response, { what, field });
        const isOrderly = response.kind !== "crashed";
        if (level === "SHOULD")
          demand(isOrderly, response, `${response.outcome} although ${what}`, "a 4xx rejection");
      }
    });
  }
}

// A refund uses up a transaction, so its forms are not tried.
for (const { id } of jsonOperations.filter(({ singleUse }) => typeof singleUse !== "object")) {
  const check = checksUnder(`${id}/http`, "probes");
  const consent = consentToRepeat(id);
  const practice = { should: "G08", ...consent };

  check("unknown-field", "does not crash on an undocumented field", practice, (ctx) =>
    sendUnknown(ctx, id, "body", "field"),
  );

  check("duplicate-keys", "does not crash on a repeated JSON key", practice, async (ctx) => {
    const response = await sendFirstKeyTwice(ctx, id);
    ctx.observe("G08", `a repeated JSON key is ${fateOf(response)}`);
    demandNoCrash(response, "only one JSON key was repeated");
  });
}

for (const { id, method, effect, contentType } of operations) {
  const check = checksUnder(`${id}/http`, "probes");

  if (method === "POST")
    check("get", "does not carry out a GET on a POST path", { should: "RFC 9110" }, async (ctx) => {
      const draft = { ...ctx.run.builder.build(id), body: null, stake: undefined };
      const response = await ctx.send(id, {}, { draft, retry: false, method: "GET", contentType: null });
      demand(response.statusClass !== 2, response, `${response.outcome} for GET`, "404 or 405");
    });

  if (effect !== "read") continue;

  const unknown = "does not crash on an undocumented query parameter";
  if (contentType === "none")
    check("unknown-parameter", unknown, { should: "G08" }, (ctx) =>
      sendUnknown(ctx, id, "query", "query parameter"),
    );
}

const NOT_OBJECTS = ["[]", '"text"', "7", "null"];
const MALFORMED = "the body is malformed JSON";

// Section 1: JSON bodies. A body that is not a JSON object has no fields, so the API must not act on it.
for (const operation of jsonOperations) {
  const { id, noun, requirements } = operation;
  const check = checksUnder(`${id}/http`, "probes");

  check("malformed-json", `refuses ${noun} in malformed JSON`, { must: ["R004"] }, async (ctx) => {
    await demandRejected(ctx, await sendMalformed(ctx, id), { what: MALFORMED });
  });

  const title = "rejects malformed JSON with a 4xx and not with a web page";
  check("malformed-json/status", title, { should: ["R004"] }, async (ctx) => {
    const response = await sendMalformed(ctx, id);
    demandNoCrash(response, MALFORMED, "a 4xx rejection");
    const isPage = response.jsonProblem?.kind === "html";
    demand(!isPage, response, `${response.outcome} with an HTML page for malformed JSON`, "a JSON body");
  });

  if (!marksRequired(operation)) continue;
  const required = requirements.required ?? [];

  for (const [name, body, must, texts] of [
    ["body-not-an-object", "whose body is JSON but not an object", ["R004", ...required], NOT_OBJECTS],
    ["empty-body", "with an empty body", required, [""]],
  ] as const) {
    check(name, `refuses ${noun} ${body}`, { must }, async (ctx) => {
      await ctx.control(id);
      for (const bytes of texts)
        await demandRejected(ctx, await sendBytes(ctx, id, bytes), {
          what: `the body is ${bytes || "empty"}`,
        });
    });
  }
}

/** Longer than a text column of most databases, and what JSON can write but some databases cannot hold. */
const ODD_TEXTS: readonly (readonly [what: string, write: (fresh: string) => string])[] = [
  ["64 kB of text", (fresh) => `${fresh} `.padEnd(64 * 1024, "a")],
  ["a NUL character and half of a surrogate pair", (fresh) => `${fresh} \0 \ud83d`],
];

// These come last: values of the catalogue that are sent together with an odd code cannot be looked up in the list.
for (const { id, noun, body, freeText, effect } of operations) {
  // Many servers reject a query of this length for its length alone.
  if (!freeText || !body) continue;
  const title = `does not crash when ${freeText} of ${noun} is too long or has characters that are none`;
  const options = { should: "N43", probe: true, ...consentToRepeat(id) } as const;
  check(`${id}/http/long-text`, title, options, async (ctx) => {
    needExpendable(ctx, id);
    // Each text of a payment is a payment.
    for (const [what, write] of effect === "money" ? ODD_TEXTS.slice(0, 1) : ODD_TEXTS) {
      const response = await sendText(ctx, id, freeText, write(ctx.run.builder.fresh()));
      demandNoCrash(response, `${freeText} holds only ${what}`);
    }
  });
}

// Section 1: the operation exists. If an empty request could be valid, only the operation's success proves that.
for (const operation of operations) {
  if (operation.effect !== "read" && !marksRequired(operation)) continue;
  const title = `exists at ${operation.method} ${operation.route}`;
  check(`${operation.id}/exists`, title, { must: ["R001", "R114"] }, async (ctx) => {
    const response = await sendLeast(ctx, operation.id);
    if (response.status === undefined) undecided(response.outcome);
    const isMissing = await isAbsent(ctx, response);
    demand(!isMissing, response, response.outcome, "an operation at this path");
  });
}

const INVALID = "the request is invalid";

// How an operation rejects: the body and the status of every rejection that its invalid requests met.
for (const operation of operations) {
  const { id, errorInFull } = operation;
  const defects = invalidRequests(operation);
  if (defects.length === 0) continue;

  /** Registers a check of every response; a target that was always busy shows nothing. */
  const checkRejections = (
    name: string,
    title: string,
    basis: CheckOptions,
    judge: (response: ApiResponse, ctx: CheckContext) => void,
  ) =>
    check(`${id}/rejections/${name}`, title, basis, async (ctx) => {
      const responses = await responsesToDefects(ctx, id, defects);
      const decided = responses.filter((response) => response.kind !== "unavailable");
      for (const response of decided) judge(response, ctx);
      if (decided.length === 0)
        undecided("the target is busy", { advice: "set a lower RATE_LIMIT or repeat later" });
    });

  if (errorInFull) {
    const title = "writes error and message of a rejection as text";
    checkRejections("shape-in-full", title, { should: ["R109"] }, (response) => {
      if (response.kind !== "done" && response.asDocumented)
        demandBody(response, errorInFull, "error shape C");
    });
  }
  if (isUndocumented(operation.responses[400])) {
    const title = "returns JSON with a 400, whose body is undocumented";
    checkRejections("json", title, { should: "G13" }, recordBodyOf400);
  }
  if (hasErrorWord(operation)) {
    const title = 'writes the status of a rejection as "error", in lower case';
    checkRejections("error-word", title, { should: ["R107"] }, (response) => {
      const word = response.field("status");
      const isOther = response.statusClass === 4 && isErrorWord(word) && word !== "error";
      demand(!isOther, response, `${response.outcome} with status ${JSON.stringify(word)}`, `"error"`);
    });
  }
  // If no status is documented for invalid input, any 4xx is as good: the list of section 7 is open.
  const documented = documentedRejections(operation);
  if (documented.some((code) => code === "400" || code === "422")) {
    const title = `rejects with a documented status (${documented.join(", ")})`;
    checkRejections("status", title, { should: "N39" }, (response) => {
      const isOther = response.statusClass === 4 && !((response.status ?? 0) in operation.responses);
      demand(!isOther, response, `${response.outcome} although ${INVALID}`, documented.join(" or "));
    });
  }
}

// Conditions that the specification ties to one status code and body: any other response is a violation.
for (const { id, noun, bound } of operations) {
  for (const condition of bound) {
    const title = `${rejectionTitle(noun, condition.what)} with ${condition.status}`;
    check(`${id}/${condition.id}`, title, { must: condition.requirements }, (ctx) =>
      demandBound(ctx, id, condition),
    );
  }
}

// A rejection is only half the proof: a rejected request must not have created anything.
for (const { id, noun, effect, foundBy, takes } of operations) {
  if (!foundBy) continue;
  const options: CheckOptions =
    effect === "money"
      ? {
          phase: "late",
          must: ["R083", "R086"],
          always: (run) => (notLookedUp(run).length > 0 ? expectNonePaid : undefined),
        }
      : { phase: "late", critical: "practice" };
  const title = `creates nothing when it refuses ${noun} as invalid`;
  check(`${id}/rejections/leave-nothing`, title, options, async (ctx) => {
    const late = ctx.target.allow.probeWrites ? (takes?.late ?? []) : [];
    const invalid = [...invalidRequests(contract[id]), ...late];
    await responsesToDefects(ctx, id, invalid);
    await expectNothingMade(ctx, id, (response) => response.isSentWith(ctx.target.secretKey));
  });
}

// A service that takes a body without a length for none may validate nothing, and carry nothing out (RFC 9112, section 6).
for (const operation of routedApart(operations.filter(({ body }) => body))) {
  const { id, noun } = operation;
  const refused = [...rejectedRequests(operation), ...operation.bound].find(({ change }) => change.body);
  if (!refused) continue;
  const title = `refuses ${noun} with a mistake when its body comes in chunks, too`;
  check(`${id}/rejections/in-chunks`, title, { critical: "practice" }, async (ctx) => {
    const usual = await responseToDefect(ctx, id, refused);
    if (usual.kind === "done") undecided(`${usual.outcome} although ${refused.what}`);
    const response = await sendInChunks(ctx, id, refused);
    demandNotDone(response, `${refused.what}, and its body comes in chunks`);
  });
}
