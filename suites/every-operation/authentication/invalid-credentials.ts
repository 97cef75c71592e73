import { DERIVED_KEYS } from "../../../fixtures/engine/config/secrets.ts";
import type { SCOPES } from "../../../fixtures/engine/config/variables.ts";
import { type CheckContext, type CheckOptions, undecided } from "../../../fixtures/engine/vocabulary.ts";
import { documentsRequest, operations, routedApart } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import type { RequirementId } from "../../../schemas/requirements.ts";
import { unknownBearer } from "./credentials.ts";

/** A way to present no valid credential, and the sentence that describes it. */
export interface Credential {
  readonly id: string;
  readonly what: string;
  /** The value of the Authorization header, made from the operator's key; `null` sends none. */
  readonly header: (key: string, ctx: CheckContext) => string | null;
  /** Another header that carries the key. */
  readonly otherHeader?: string;
  /** It carries a working key in an unusual form, so it only goes to reads; a SHOULD if these do not list 401. */
  readonly workingKey?: true;
  /** Nothing says that a 401 must reject it, whatever the operation lists. */
  readonly anyStatus?: true;
  /** It goes to every operation; the others go to one of those that are routed together. */
  readonly everywhere?: true;
  readonly scope?: (typeof SCOPES)[number];
  /** What its rejection proves, in addition to that every operation requires authentication. */
  readonly requirement?: RequirementId;
}

type Row = readonly [
  id: string,
  what: string,
  header: Credential["header"],
  more?: Partial<Omit<Credential, "id" | "what" | "header">>,
];

const working = { workingKey: true } as const;

const anyStatus = true;

const letters = Buffer.from("Zoë\u2713").toString("latin1");

/** Credentials that must be rejected wherever authentication is required (sections 1 and 5). */
// biome-ignore format: a table
const ROWS: readonly Row[] = [
  ["no-header", "there is no Authorization header", () => null, { everywhere: true }],
  ["empty-header", "the Authorization header is empty", () => ""],
  // RFC 6750, section 3.1, lets a malformed header be rejected with 400.
  ["no-token", "no token follows the scheme", () => "Bearer", { anyStatus }],
  ["malformed", "three words follow the scheme", () => "Bearer a b c", { anyStatus }],
  ["wrong-scheme", "the key is sent with the scheme Basic", (key) => `Basic ${DERIVED_KEYS.basic(key)}`, working],
  ["unknown-scheme", "the key is sent with the scheme Token", (key) => `Token ${key}`, working],
  ["raw-key", "the key is sent without a scheme", (key) => key, working],
  ["unknown-key", "the key was never issued", (_, ctx) => unknownBearer(ctx), { everywhere: true }],
  ["altered-key", "the key's last character is different", (key) => `Bearer ${DERIVED_KEYS.altered(key)}`],
  ["token-of-300-characters", "the token has 300 characters", () => `Bearer sk_test_${"0".repeat(292)}`],
  // A server may have a shorter limit for headers.
  ["token-of-8000-characters", "the token has 8,000 characters", () => `Bearer sk_test_${"0".repeat(7992)}`, { anyStatus }],
  ["token-with-signs", "the token has an apostrophe and a percent sign", () => "Bearer sk_test_o'neil%27%", { anyStatus }],
  // A header carries bytes.
  ["token-with-letters", "the token has letters outside ASCII", () => `Bearer sk_test_${letters}`, { anyStatus }],
  // Such a name is found where keys are members of an object.
  ["token-constructor", "the token is the word constructor", () => "Bearer constructor", { anyStatus }],
  ["longer-key", "the key has one character too many", (key) => `Bearer ${key}0`],
  ["shortened-key", "the key lacks its last character", (key) => `Bearer ${DERIVED_KEYS.shortened(key)}`],
  ["key-in-other-case", "the key's letters are in the other case", inOtherCase, { ...working, anyStatus }],
  ["revoked-key", "the key was revoked", (_, ctx) => `Bearer ${ctx.need("REVOKED_KEY")}`, { everywhere: true, scope: "revoked-key", requirement: "R105" }],
  ["key-in-other-header", "the key is only sent as x-api-key", () => null, { otherHeader: "x-api-key", ...working }],
];

function inOtherCase(key: string): string {
  const other = DERIVED_KEYS.otherCase(key);
  if (other === key) undecided("the key has no letters");
  return `Bearer ${other}`;
}

/** Every way to present no valid credential. */
export const INVALID_CREDENTIALS = ROWS.map(
  ([id, what, header, more]): Credential => ({ id, what, header, ...more }),
);

/** How hard the rejection of a credential is judged. */
export function optionsOf({ responses, requirements }: Operation, credential: Credential): CheckOptions {
  const { workingKey, anyStatus, requirement, scope } = credential;
  if (workingKey && (anyStatus || !(401 in responses))) return { should: "R100" };
  const authentication = anyStatus ? [] : (requirements.authentication ?? []);
  const must = ["R003", ...authentication, ...(requirement ? [requirement] : [])] as const;
  return { must, ...(scope && { scope }) };
}

const routed = routedApart(operations.filter(documentsRequest));
const routedReads = routedApart(operations.filter(({ effect }) => effect === "read"));

/** The operations that get a credential: a working key in an unusual form only goes to reads. */
export const operationsFor = ({ workingKey, everywhere }: Pick<Credential, "workingKey" | "everywhere">) =>
  everywhere ? operations : workingKey ? routedReads : routed;
