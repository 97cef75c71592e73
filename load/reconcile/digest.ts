import { createHash } from "node:crypto";
import { digestWith } from "../k6/digest.ts";

/** Makes the digest of an identifier that k6 logs of it. */
export const digestOf = digestWith((text) => createHash("sha256").update(text).digest("hex"));
