import { type Attack, attacks, PASSED } from "../attack.ts";
import { respond } from "../damages.ts";
import type { Damage, Passing } from "../hostile-target.ts";

/** Whether a request comes in the first seconds after the preflight, which sends the victim no key. */
function atFirst(milliseconds: number) {
  let start: number | undefined;
  return ({ operation, status, age }: Passing) => {
    if (operation === "getDispute" && status === 200) start ??= age;
    return start !== undefined && age <= start + milliseconds;
  };
}

const OUTAGES: Readonly<Record<string, Damage>> = {
  "connections-reset-for-3-seconds": (_, connection) => connection.resetAndDestroy(),
  "502-for-3-seconds": respond({ status: 502, body: "<html>try later</html>" }),
};

/** Whether a balancer sends a request to the second of two instances. */
function inTurns() {
  let requests = 0;
  return ({ status }: Passing) => {
    requests += 1;
    return requests % 2 === 0 && status >= 200 && status < 300;
  };
}

/** Deployments in trouble, or of two instances that differ. */
export const DEPLOYMENTS: readonly Attack[] = [
  // Nothing that a request can outlive may turn a check red.
  ...attacks("outage", OUTAGES, (damage) => ({
    victim: "every",
    when: atFirst(3000),
    damage,
    exit: [0, 4],
    verdicts: { "getDispute/accepted": ["pass", "warn", "inconclusive"] },
  })),
  {
    name: "headers/connection-kept-alive-and-closed",
    victim: "every",
    damage: respond({ headers: { Connection: "keep-alive" } }),
    ...PASSED,
  },
  {
    name: "instances/one-of-two-refuses-the-key",
    victim: "every",
    when: inTurns(),
    damage: respond({ status: 401, body: '{"status":"error","message":"invalid key"}' }),
    select:
      "getDispute/accepted,listTransfers/accepted,listTransfers/status-Blocked-accepted,createTransfer/*",
    exit: [1],
    // One failure names the instance, and no other check is judged by its responses.
    verdicts: { "getProfile/same-question": ["fail"], "listTransfers/status-Blocked-accepted": ["pass"] },
  },
];
