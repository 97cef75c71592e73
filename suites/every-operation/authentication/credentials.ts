import { createHash } from "node:crypto";
import {
  alteredKey,
  basicKey,
  keyInOtherCase,
  shortenedKey,
} from "../../../fixtures/engine/config/secrets.ts";
import type { SCOPES } from "../../../fixtures/engine/config/variables.ts";
import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { Inconclusive } from "../../../fixtures/engine/http/findings.ts";
import { expectRejected } from "../../../fixtures/engine/judge/expect-rejected.ts";
import { expectAnswered, expectNotAccepted, expectStatus } from "../../../fixtures/engine/judge/matchers.ts";
import type { CheckContext, SendOptions } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf } from "../../../fixtures/engine/run/control.ts";
import type { OperationId } from "../../../schemas/contract.ts";
import type { Change } from "../../../schemas/operation.ts";
import type { RequirementId } from "../../../schemas/requirements.ts";
import { harmless } from "../statuses-and-bodies/requests.ts";

/** A way to present no valid credential, and the sentence that describes it. */
export interface Credential {
  readonly id: string;
  readonly what: string;
  /** The value of the Authorization header; `null` sends none. */
  readonly authorization: (ctx: CheckContext) => string | null;
  /** Another header that carries the key. */
  readonly otherHeader?: string;
  /** It carries a working key in an unusual form, so it only goes to reads; the level if these do not list 401. */
  readonly workingKey?: "critical" | "should";
  /** Nothing says that a 401 must reject it, whatever the operation lists. */
  readonly anyStatus?: true;
  /** It also goes to operations whose request is undocumented. */
  readonly everywhere?: true;
  readonly scope?: (typeof SCOPES)[number];
  /** What its rejection proves, in addition to that every operation requires authentication. */
  readonly requirement?: RequirementId;
}

/** Credentials that must be rejected wherever authentication is required (sections 1 and 5). */
export const INVALID_CREDENTIALS: readonly Credential[] = [
  {
    id: "no-header",
    what: "there is no Authorization header",
    authorization: () => null,
    everywhere: true,
  },
  { id: "empty-header", what: "the Authorization header is empty", authorization: () => "" },
  // RFC 6750, section 3.1, lets a malformed header be rejected with 400.
  { id: "no-token", what: "no token follows the scheme", authorization: () => "Bearer", anyStatus: true },
  {
    id: "malformed",
    what: "three words follow the scheme",
    authorization: () => "Bearer a b c",
    anyStatus: true,
  },
  {
    id: "wrong-scheme",
    what: "the key is sent with the scheme Basic",
    authorization: ({ target }) => `Basic ${basicKey(target.secretKey)}`,
    workingKey: "critical",
  },
  {
    id: "unknown-scheme",
    what: "the key is sent with the scheme Token",
    authorization: ({ target }) => `Token ${target.secretKey}`,
    workingKey: "critical",
  },
  {
    id: "raw-key",
    what: "the key is sent without a scheme",
    authorization: ({ target }) => target.secretKey,
    workingKey: "critical",
  },
  {
    id: "unknown-key",
    what: "the key was never issued",
    authorization: ({ run }) => `Bearer ${unknownKey(run.settings.runId)}`,
    everywhere: true,
  },
  {
    id: "altered-key",
    what: "the key's last character is different",
    authorization: ({ target }) => `Bearer ${alteredKey(target.secretKey)}`,
  },
  {
    id: "longer-key",
    what: "the key has one character too many",
    authorization: ({ target }) => `Bearer ${target.secretKey}0`,
  },
  {
    id: "shortened-key",
    what: "the key lacks its last character",
    authorization: ({ target }) => `Bearer ${shortenedKey(target.secretKey)}`,
  },
  {
    id: "key-in-other-case",
    what: "the key's letters are in the other case",
    authorization: ({ target }) => {
      const other = keyInOtherCase(target.secretKey);
      if (other === target.secretKey) throw new Inconclusive("the key has no letters");
      return `Bearer ${other}`;
    },
    workingKey: "critical",
    anyStatus: true,
  },
  {
    id: "revoked-key",
    what: "the key was revoked",
    authorization: (ctx) => `Bearer ${ctx.need("REVOKED_KEY")}`,
    scope: "revoked-key",
    requirement: "R105",
  },
  {
    id: "key-in-other-header",
    what: "the key is only sent as x-api-key",
    authorization: () => null,
    otherHeader: "x-api-key",
    workingKey: "should",
  },
];

/** A key in the documented form that was never issued. */
export const unknownKey = (runId: string) =>
  `sk_test_${createHash("sha256").update(`unknown ${runId}`).digest("hex").slice(0, 32)}`;

/**
 * The answer to the operation's ordinary request with other credentials, sent once per run. The accepted request is sent
 * first: it shows which values the API takes. A rejection of other values would prove nothing about the key.
 */
export async function answerTo(
  ctx: CheckContext,
  id: OperationId,
  name: string,
  options: SendOptions,
  change: Change = {},
) {
  await controlOf(ctx, id);
  const answer = await ctx.once(`auth/${id}/${name}`, () => {
    const built = harmless(ctx, id, change);
    // Without a body nothing can move.
    const draft = options.bytes === "" ? { ...built, stake: undefined } : built;
    return ctx.sendInvalid(id, {}, { ...options, draft });
  });
  expectAnswered(answer);
  return answer;
}

/** Whether the API rejected the key, and so did not look at the request. */
export const isUnauthenticated = ({ status }: Answer) => status === 401 || status === 403;

/** Demands that a request without a valid key was rejected, with 401 where the operation lists it unless any status will do. */
export async function expectKeyRejected(
  ctx: CheckContext,
  answer: Answer,
  { what, anyStatus }: { readonly what: string; readonly anyStatus?: true },
) {
  if (401 in answer.operation.responses && !anyStatus) return expectStatus(answer, 401, what);
  // 401 and 403 cannot be about the data, so no accepted control is needed.
  if (isUnauthenticated(answer)) return;
  // A rejected transfer may be recorded, but not for a merchant that the request does not name.
  expectNotAccepted(answer, what);
  await expectRejected(ctx, answer, { what });
}

/** What became of a request, for an observation. */
export function fateOf(answer: Answer): string {
  if (answer.is2xx) return "accepted";
  if (answer.status === undefined) return "not answered";
  return answer.isCrash ? `met with a crash (${answer.status})` : `rejected with ${answer.status}`;
}
