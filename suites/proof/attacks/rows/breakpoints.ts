import { answer, cutAt, silence } from "../answers.ts";
import type { Attack } from "../attack.ts";
import type { Damage, Passing } from "../hostile-target.ts";

const NOTHING_LISTED = '{"status":"success","message":"ok","data":[]}';

/** What a target may do to the transfers of a search once some of them were paid. */
const LATER: Readonly<Record<string, Damage>> = {
  "is-silent": silence,
  "is-busy": answer({ status: 429, body: "", headers: { "Retry-After": "99999" } }),
  "is-broken": answer({ status: 500, body: "" }),
  "pays-and-rejects": answer({ status: 400, body: '{"status":"error","message":"invalid"}' }),
  "cuts-the-answer": cutAt(20),
  "rejects-the-key": answer({ status: 401, body: "{}" }),
};

const LONG_AFTER = 60;
const isLate = ({ status, count }: Passing) => status >= 200 && status < 300 && count > LONG_AFTER;

const search = (name: string, change: Partial<Attack>): Attack => ({
  name: `breakpoint/${name}`,
  area: 2,
  command: "load",
  victim: "createTransfer",
  args: ["breakpoint", "transfers"],
  variables: { RATE: "40", DURATION: "10s", REQUEST_TIMEOUT_MS: "1000", MAX_PAYOUTS: "2000" },
  exit: [0, 1, 3, 4],
  seconds: 300,
  ...change,
});

/** Searches of the highest rate against a target that turns on them; one of them is killed and started again. */
export const BREAKPOINTS: readonly Attack[] = [
  ...Object.entries(LATER).map(([name, damage]) => search(`target-${name}`, { when: isLate, damage })),
  search("target-lists-nothing", {
    victim: "listTransfers",
    when: ({ status, count }) => status === 200 && count > LONG_AFTER,
    damage: answer({ body: NOTHING_LISTED }),
  }),
  search("is-killed", { killedAfter: 4000 }),
];
