import { createHash } from "node:crypto";
import { alteredKey, keyInOtherCase, shortenedKey } from "../../fixtures/config/secrets.ts";
import type { SCOPES } from "../../fixtures/config/target.ts";
import type { Overrides } from "../../fixtures/http/encode.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import type { RequirementId } from "../../schemas/requirements.ts";

/** A way to present no valid credential, and the sentence that describes it. */
export interface Credential {
  readonly id: string;
  readonly what: string;
  readonly present: (ctx: CheckContext) => Overrides;
  /** It carries a working key in an unusual form, so it only goes to reads. */
  readonly workingKey?: true;
  readonly critical?: true;
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
    present: () => ({ authorization: null }),
    everywhere: true,
  },
  { id: "empty-header", what: "the Authorization header is empty", present: () => ({ authorization: "" }) },
  { id: "no-token", what: "no token follows the scheme", present: () => ({ authorization: "Bearer" }) },
  {
    id: "malformed",
    what: "three words follow the scheme",
    present: () => ({ authorization: "Bearer a b c" }),
  },
  {
    id: "wrong-scheme",
    what: "the key is sent with the scheme Basic",
    present: ({ target }) => ({
      authorization: `Basic ${Buffer.from(`${target.secretKey}:`).toString("base64")}`,
    }),
    workingKey: true,
    critical: true,
  },
  {
    id: "unknown-scheme",
    what: "the key is sent with the scheme Token",
    present: ({ target }) => ({ authorization: `Token ${target.secretKey}` }),
    workingKey: true,
    critical: true,
  },
  {
    id: "raw-key",
    what: "the key is sent without a scheme",
    present: ({ target }) => ({ authorization: target.secretKey }),
    workingKey: true,
    critical: true,
  },
  {
    id: "unknown-key",
    what: "the key was never issued",
    present: ({ run }) => ({ authorization: `Bearer ${unknownKey(run.settings.runId)}` }),
    everywhere: true,
  },
  {
    id: "altered-key",
    what: "the key's last character is different",
    present: ({ target }) => ({ authorization: `Bearer ${alteredKey(target.secretKey)}` }),
  },
  {
    id: "longer-key",
    what: "the key has one character too many",
    present: ({ target }) => ({ authorization: `Bearer ${target.secretKey}0` }),
  },
  {
    id: "shortened-key",
    what: "the key lacks its last character",
    present: ({ target }) => ({ authorization: `Bearer ${shortenedKey(target.secretKey)}` }),
  },
  {
    id: "key-in-other-case",
    what: "the key's letters are in the other case",
    present: ({ target }) => {
      const other = keyInOtherCase(target.secretKey);
      if (other === target.secretKey) throw new Inconclusive("the key has no letters");
      return { authorization: `Bearer ${other}` };
    },
    workingKey: true,
    critical: true,
  },
  {
    id: "revoked-key",
    what: "the key was revoked",
    present: (ctx) => ({ authorization: `Bearer ${ctx.need("REVOKED_KEY")}` }),
    scope: "revoked-key",
    requirement: "R105",
  },
  {
    id: "key-in-other-header",
    what: "the key is only sent as x-api-key",
    present: ({ target }) => ({ authorization: null, headers: [["x-api-key", target.secretKey]] }),
    workingKey: true,
  },
];

/** A key in the documented form that was never issued. */
export const unknownKey = (runId: string) =>
  `sk_test_${createHash("sha256").update(`unknown ${runId}`).digest("hex").slice(0, 32)}`;
