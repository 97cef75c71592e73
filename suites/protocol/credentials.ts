import { createHash } from "node:crypto";
import type { Bench } from "../../fixtures/bench.ts";
import type { Overrides } from "../../fixtures/encode.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { alteredKey, keyInOtherCase, type SCOPES, shortenedKey } from "../../fixtures/target.ts";
import type { RequirementId } from "../../schemas/requirements.ts";

/** A way to present no valid credential, and how messages name it. */
export interface Credential {
  readonly id: string;
  readonly what: string;
  readonly present: (bench: Bench) => Overrides;
  /** Goes to operations that list 401 and to other reads alone: it carries a working key in an unusual form. */
  readonly workingKey?: true;
  readonly critical?: true;
  /** Also goes to operations whose request is not shown. */
  readonly everywhere?: true;
  readonly scope?: (typeof SCOPES)[number];
  /** What its refusal proves besides that every operation requires authentication. */
  readonly requirement?: RequirementId;
}

/** What must be refused wherever authentication is required (sections 1 and 5). */
export const INVALID_CREDENTIALS: readonly Credential[] = [
  {
    id: "no-header",
    what: "no Authorization header was sent",
    present: () => ({ authorization: null }),
    everywhere: true,
  },
  { id: "empty-header", what: "the Authorization header was empty", present: () => ({ authorization: "" }) },
  { id: "no-token", what: "no token followed the scheme", present: () => ({ authorization: "Bearer" }) },
  {
    id: "malformed",
    what: "three words followed the scheme",
    present: () => ({ authorization: "Bearer a b c" }),
  },
  {
    id: "wrong-scheme",
    what: "the key came under the scheme Basic",
    present: ({ target }) => ({
      authorization: `Basic ${Buffer.from(`${target.secretKey}:`).toString("base64")}`,
    }),
    workingKey: true,
    critical: true,
  },
  {
    id: "unknown-scheme",
    what: "the key came under the scheme Token",
    present: ({ target }) => ({ authorization: `Token ${target.secretKey}` }),
    workingKey: true,
    critical: true,
  },
  {
    id: "raw-key",
    what: "the key came without a scheme",
    present: ({ target }) => ({ authorization: target.secretKey }),
    workingKey: true,
    critical: true,
  },
  {
    id: "unknown-key",
    what: "nobody was given the key",
    present: ({ run }) => ({ authorization: `Bearer ${unknownKey(run.settings.runId)}` }),
    everywhere: true,
  },
  {
    id: "altered-key",
    what: "the key's last character was changed",
    present: ({ target }) => ({ authorization: `Bearer ${alteredKey(target.secretKey)}` }),
  },
  {
    id: "longer-key",
    what: "a character was added to the key",
    present: ({ target }) => ({ authorization: `Bearer ${target.secretKey}0` }),
  },
  {
    id: "shortened-key",
    what: "the key's last character was left out",
    present: ({ target }) => ({ authorization: `Bearer ${shortenedKey(target.secretKey)}` }),
  },
  {
    id: "key-in-other-case",
    what: "the key's letters were in the other case",
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
    present: (bench) => ({ authorization: `Bearer ${bench.need("REVOKED_KEY")}` }),
    scope: "revoked-key",
    requirement: "R105",
  },
  {
    id: "key-in-other-header",
    what: "the key came in x-api-key alone",
    present: ({ target }) => ({ authorization: null, headers: [["x-api-key", target.secretKey]] }),
    workingKey: true,
  },
];

/** A key of the documented form that no deployment gave to anybody. */
export const unknownKey = (runId: string) =>
  `sk_test_${createHash("sha256").update(`unknown ${runId}`).digest("hex").slice(0, 32)}`;
