import type { Answer } from "../../fixtures/answer.ts";
import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench, SendOptions } from "../../fixtures/bench.ts";
import type { Draft } from "../../fixtures/build.ts";
import { documentsOnly5xx, isStatus2xx, isStatus5xx, isSuccess } from "../../fixtures/classify.ts";
import { controlOf } from "../../fixtures/control.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { isLoopback } from "../../fixtures/target.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import type { Change } from "../../schemas/operation.ts";
import { jsonOperations, needWrites, stakeOf } from "./ordinary.ts";

/** Sends a valid request in another form, with the operator's consent where that could be carried out. */
async function sendAs(
  bench: Bench,
  id: OperationId,
  form: (valid: Draft) => SendOptions,
  change: Change = {},
): Promise<Answer> {
  needWrites(bench, id);
  const draft = bench.draft(id, change);
  const answer = await bench.dispatch(id, draft, form(draft));
  judgeAnswered(answer);
  return answer;
}

const fateOf = (answer: Answer) => (isSuccess(answer) ? "accepted" : "refused");

/** What the specification leaves open may be answered in any way but by breaking down. */
function judgeCalm(answer: Answer, what: string) {
  const documented = answer.status === 500 && documentsOnly5xx(answer.operation);
  if (!documented && (isStatus5xx(answer) || answer.failure))
    throw violation(answer, `${outcomeOf(answer)} to ${what}`, "no breakdown");
}

// Each refund spends a transaction, so that its forms are not tried.
for (const { id } of jsonOperations.filter((operation) => operation.id !== "refundTransaction")) {
  check(`${id}/http/charset`, { level: "SHOULD", requirements: ["R023"], ...stakeOf(id) }, async (bench) => {
    const contentType = "application/json; charset=utf-8";
    const answer = await sendAs(bench, id, () => ({ contentType }));
    if (isSuccess(answer)) return;
    const { accepted } = await controlOf(bench, id);
    if (!accepted)
      throw new Inconclusive(
        `${outcomeOf(answer)}, but the same request without charset was not accepted either`,
        `${id}/accepted`,
      );
    if (answer.operation.effect === "update" && answer.status !== 415)
      throw new Inconclusive(`${outcomeOf(answer)}: the data may have served already`, `${id}/accepted`);
    throw violation(answer, `${outcomeOf(answer)} to ${contentType}`, "as for application/json");
  });

  check(`${id}/http/content-type`, { level: "OBSERVE", source: "G08", ...stakeOf(id, 3) }, async (bench) => {
    const plain = await sendAs(bench, id, () => ({ contentType: "text/plain" }));
    const none = await sendAs(bench, id, () => ({ contentType: null }));
    const form = await sendAs(bench, id, ({ body }) => ({
      contentType: "application/x-www-form-urlencoded",
      bytes: new URLSearchParams(
        Object.entries(body ?? {}).map(([name, value]) => [name, String(value)]),
      ).toString(),
    }));
    bench.observe(
      "G08",
      `a valid body as text/plain is ${fateOf(plain)}, without Content-Type ${fateOf(none)}, as a form ${fateOf(form)}`,
    );
  });

  check(`${id}/http/unknown-field`, { level: "SHOULD", source: "G08", ...stakeOf(id) }, async (bench) => {
    const answer = await sendAs(bench, id, () => ({}), { body: { conformanceNote: "no such field" } });
    bench.observe("G08", `a field that is not documented is ${fateOf(answer)}`);
    judgeCalm(answer, "a field that is not documented");
  });

  check(`${id}/http/duplicate-keys`, { level: "SHOULD", source: "G08", ...stakeOf(id) }, async (bench) => {
    const answer = await sendAs(bench, id, ({ body }) => ({ bytes: withFirstMemberTwice(body ?? {}) }));
    bench.observe("G08", `a JSON key that is written twice is ${fateOf(answer)}`);
    judgeCalm(answer, "a JSON key that is written twice");
  });
}

for (const { id, method, effect, contentType } of operations) {
  if (method === "POST") {
    check(`${id}/http/get`, { level: "SHOULD", source: "RFC 9110" }, async (bench) => {
      const draft = { ...bench.run.builder.build(id), body: null, stake: undefined };
      const answer = await bench.dispatch(id, draft, { method: "GET", contentType: null });
      judgeAnswered(answer);
      if (isStatus2xx(answer)) throw violation(answer, `${outcomeOf(answer)} to GET`, "404 or 405");
    });
  }
  if (effect !== "read") continue;

  check(`${id}/http/forms`, { level: "OBSERVE", source: "G08" }, async (bench) => {
    const slash = await sendAs(bench, id, () => ({ pathSuffix: "/" }));
    const head = await sendAs(bench, id, () => ({ method: "HEAD", contentType: null }), { body: null });
    const options = await sendAs(bench, id, () => ({ method: "OPTIONS", contentType: null }), { body: null });
    const xml = await sendAs(bench, id, () => ({ via: withAccept(bench, id, "application/xml") }));
    const gzip = await sendAs(bench, id, () => ({ headers: [["Accept-Encoding", "gzip"]] }));
    const encoding = gzip.header("content-encoding") ?? "identity";
    bench.observe(
      "G08",
      `a trailing slash is answered ${slash.status}, HEAD ${head.status}, OPTIONS ${options.status}, Accept: application/xml ${xml.status}, Accept-Encoding: gzip in ${encoding}`,
    );
  });

  if (contentType !== "none") continue;
  check(`${id}/http/unknown-parameter`, { level: "SHOULD", source: "G08" }, async (bench) => {
    const answer = await sendAs(bench, id, () => ({}), { query: { conformanceNote: "none" } });
    bench.observe("G08", `a query parameter that is not documented is ${fateOf(answer)}`);
    judgeCalm(answer, "a query parameter that is not documented");
  });
}

check("getProfile/http/https", { level: "SHOULD", critical: true, source: "OWASP API8" }, async (bench) => {
  const { protocol, hostname, host } = new URL(bench.target.baseUrl);
  const { answer } = await controlOf(bench, "getProfile");
  if (answer && protocol !== "https:" && !isLoopback(hostname))
    throw violation(answer, `is reached over ${protocol}//${host}`, "https");
});

/** A JSON object whose first member is written a second time, with the same value. */
function withFirstMemberTwice(body: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(body).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${[...members.slice(0, 1), ...members].join(",")}}`;
}

/** Sends the request with another Accept header than the ordinary one. */
const withAccept =
  (bench: Bench, id: OperationId, accept: string): NonNullable<SendOptions["via"]> =>
  (request, sending) => {
    const headers = request.headers.map(
      ([name, value]) => [name, name === "Accept" ? accept : value] as const,
    );
    const operation = operations.find((one) => one.id === id);
    if (!operation) throw new Error(`${id} is no operation`);
    return bench.run.transport.send(operation, { ...request, headers }, sending);
  };
