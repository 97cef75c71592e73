import { expect, test } from "vitest";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { verdictsIn } from "../../fixtures/testing/deployment.ts";
import { DEPLOYMENT } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { listen } from "../../fixtures/testing/listener.ts";
import { certify } from "./certify.ts";

/** A request as a server reads it: the members of query and body; a body that is no JSON object has none. */
interface Received {
  readonly method: string;
  readonly path: string;
  readonly text: string;
  readonly members: Readonly<Record<string, unknown>>;
}

const RECORD = { id: 41, pageId: 42, productId: 43, code: "SPRING", reference: "r-1", status: "Successful" };
const ENVELOPE = { status: "success", message: "done", data: { ...RECORD, items: [RECORD] } };
const SUCCESSES: readonly (readonly [path: RegExp, body: unknown])[] = [
  [/with-qr/, { ReturnCode: "00", OrderSn: "1", CodeUrl: "x", orderNo: "2", transaction_id: 3 }],
  [/with-card/, { message: "done", paymentDetails: {}, transactionIdForSession: 4 }],
  [/with-ndd/, { message: "done", mandateResponse: {}, transactionIdForSessionForSession: 5 }],
  [/initialize\/dva/, { status: true, message: "done", data: RECORD }],
  [/refund-transaction/, {}],
  [/subaccount/, { share: 10, subaccount: "SUB-1" }],
  [/create-single-transfer/, { status: "Successful", transactionId: "6", message: "done" }],
];

/** Accepts whatever comes, with any key or none, and remembers it. */
async function credulousTarget() {
  const received: Received[] = [];
  const { url } = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { pathname: path, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
      const text = Buffer.concat(chunks).toString();
      const members = { ...Object.fromEntries(searchParams), ...membersIn(text) };
      received.push({ method: request.method ?? "", path, text, members });
      const body = SUCCESSES.find(([place]) => place.test(path))?.[1] ?? ENVELOPE;
      response.writeHead(path.includes("subaccount") ? 201 : 200, { "Content-Type": "application/json" });
      response.end(JSON.stringify(body));
    });
  });
  return { url, received };
}

/** The members of JSON or of a form; of anything else, each word is one, since a tolerant reader may find it. */
function membersIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return Object.fromEntries((text.match(/\w+/g) ?? []).map((word) => [word, "1"]));
  }
}

const hasValue = (value: unknown): boolean =>
  typeof value === "object" && value !== null
    ? Object.keys(value).length > 0
    : !/^\s*$/.test(String(value ?? ""));
const hasDigit = (value: unknown) => typeof value === "number" || /\d/.test(String(value ?? ""));
/** What the operator could have; the largest numbers are the suite's own, for records that do not exist. */
const isRecord = (value: unknown) => hasDigit(value) && Number(value) !== 2_147_480_000;

/** What each path does, and whether a server without any rules could do it with this request. */
const COULD: readonly (readonly [path: RegExp, could: (sent: Received) => boolean])[] = [
  [/create-pages/, () => true],
  [/add-discount-code/, ({ members }) => hasValue(members.code)],
  [/create-single-transfer/, ({ members }) => hasDigit(members.amount) && hasValue(members.accountNumber)],
  [
    /transaction-with-(qr|card|ndd)/,
    ({ members: { amount, customerId, cardNumber, mch_no } }) =>
      hasDigit(amount) && [customerId, cardNumber, mch_no].some(hasValue),
  ],
  [/initialize\/dva/, ({ members }) => hasDigit(members.amount) && hasValue(members.email)],
  // A reference that the suite made up is long and has no meaning.
  [
    /refund-transaction/,
    ({ members: { transactionRef } }) =>
      hasValue(transactionRef) && !/^(cst|cst-[\w-]{12,}|r{300})$/.test(String(transactionRef)),
  ],
  [
    /split-page\//,
    ({ path, members }) =>
      isRecord(/split-page\/([^/]*)/.exec(path)?.[1]) && hasValue(members.sub_account_id),
  ],
  [/payment-page-add-product/, ({ members }) => isRecord(members.pageId) && isRecord(members.productIds)],
  [/update-discount-code/, ({ members }) => Object.keys(members).length > 0],
  [/subscription\//, ({ path }) => isRecord(/subscription\/([^/]*)/.exec(path)?.[1])],
];

const offences = (received: readonly Received[], isAllowed: (sent: Received) => boolean = () => false) =>
  received
    .filter(
      (sent) =>
        !/^(HEAD|OPTIONS)$/.test(sent.method) &&
        COULD.some(([path, could]) => path.test(sent.path) && could(sent)),
    )
    .filter((sent) => !isAllowed(sent))
    .map(({ method, path, text }) => `${method} ${path} ${text.slice(0, 300)}`);

/** Everything about the sandbox but what it allows. */
async function dataWithoutConsent() {
  const sandbox = await startSandbox();
  await sandbox.close();
  const { PROBE_WRITES: _, SUBSCRIPTION_EXPENDABLE: __, LIVE_BASE_URL: ___, ...data } = sandbox.env;
  return data;
}

test("without any permission, a run sends nothing that a target without rules could carry out", async () => {
  const { url, received } = await credulousTarget();
  const { SECRET_KEY } = DEPLOYMENT;

  const ended = await invoke(certify, [], { BASE_URL: url, SECRET_KEY, SETTLE_SECONDS: "0" });

  const file = verdictsIn(ended);
  expect(received.length).toBeGreaterThan(400);
  expect(offences(received)).toEqual([]);
  expect(file.checks.filter(({ verdict }) => verdict === "suite-error")).toEqual([]);
});

test("with data for every operation and without consent, a run changes only what the operator named", async () => {
  const { url, received } = await credulousTarget();
  const data = await dataWithoutConsent();

  const ended = await invoke(certify, [], { ...data, BASE_URL: url, SETTLE_SECONDS: "0" });

  const file = verdictsIn(ended);
  const isNamed = ({ path, text }: Received) =>
    path.includes(`/split-page/${data.SPLIT_PAGE_ID}/`) ||
    path.includes(`/subscription/${data.SUBSCRIPTION_ID}`) ||
    path.includes("update-discount-code") ||
    (path.includes("add-product") && text.includes(data.PAGE_ID ?? "no page"));
  expect(received.length).toBeGreaterThan(400);
  expect(offences(received, isNamed)).toEqual([]);
  expect(file.checks.filter(({ verdict }) => verdict === "suite-error")).toEqual([]);
});
