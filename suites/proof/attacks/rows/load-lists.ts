import { gzipSync } from "node:zlib";
import { answer, cutAt, endless, json, silence } from "../answers.ts";
import type { Attack } from "../attack.ts";
import { type Damage, type Passing, TRAP } from "../hostile-target.ts";

const MB = 1024 * 1024;
let bomb: Buffer | undefined;

/** What becomes of the transfer list once the load is over and its transfers are looked up. */
const LISTS: Readonly<Record<string, Damage>> = {
  "is-empty": answer({ body: '{"status":"success","message":"ok","data":[]}' }),
  "is-null": answer({ body: "null" }),
  "is-a-text": answer({ body: '"ok"' }),
  "is-deep": answer({ body: `{"data":${"[".repeat(50_000)}${"]".repeat(50_000)}}` }),
  "is-a-bomb": (passing, connection) => {
    bomb ??= gzipSync(Buffer.alloc(50 * MB, " "));
    answer({ body: bomb, headers: { "Content-Encoding": "gzip" } })(passing, connection);
  },
  "is-endless": endless({ headers: { "Content-Length": null } }, Buffer.alloc(MB, " ")),
  "is-cut": cutAt(-20),
  "is-silent": silence,
  "is-a-page": answer({ headers: { "Content-Type": "text/html" }, body: "<!doctype html>ok" }),
  "has-moved": answer({ status: 302, headers: { Location: TRAP } }),
  "is-broken": answer({ status: 500, body: "" }),
  "is-busy": answer({ status: 429, body: "", headers: { "Retry-After": "99999" } }),
  "rejects-the-key": answer({ status: 401, body: "{}" }),
  "has-300000-items": answer({
    body: JSON.stringify({ data: Array.from({ length: 300_000 }, () => "item") }),
  }),
  "has-3-mb-in-an-item": answer({ body: json((body) => ({ ...body, odd: ["x".repeat(3 * MB)] })) }),
  "repeats-everything-a-thousand-times": answer({
    body: (body) => `{"data":[${Array(1000).fill(body.toString()).join(",")}]}`,
  }),
};

const looksUp = ({ status, sent }: Passing) => status === 200 && /-reconcile-\d/.test(sent);

/** Targets that answer the load well, and the questions after it badly. */
export const LOAD_LISTS: readonly Attack[] = Object.entries(LISTS).map(
  ([name, damage]): Attack => ({
    name: `load-list/${name}`,
    area: 3,
    command: "load",
    victim: "listTransfers",
    when: looksUp,
    damage,
    args: ["transfers", "--profile", "smoke"],
    variables: { RATE: "20", DURATION: "1s", REQUEST_TIMEOUT_MS: "1000" },
    // A list that says more than it was asked for may still show all that it must.
    exit: /3-mb|repeats/.test(name) ? [0, 1, 4] : [1, 4],
    seconds: 120,
  }),
);
