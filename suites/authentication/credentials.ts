import { createHash } from "node:crypto";
import { alteredKey, basicKey, keyInOtherCase, shortenedKey } from "../../fixtures/config/secrets.ts";
import type { SCOPES } from "../../fixtures/config/variables.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import type { RequirementId } from "../../schemas/requirements.ts";

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
