import { answer, bytesOf } from "../answers.ts";
import type { Attack } from "../attack.ts";
import type { Damage, Passing } from "../hostile-target.ts";

const isEven = ({ count }: Passing) => count % 2 === 0;
const OK = '{"status":"success","message":"ok","data":{"reference":"r","status":"open"}}';

/** Gives the first answer again and again, as a cache does that looks at the path alone. */
function cached(): Damage {
  let first: Passing | undefined;
  return (passing, connection) => {
    first ??= passing;
    connection.end(
      bytesOf(
        {
          more: [
            ["Age", "60"],
            ["X-Cache", "HIT"],
          ],
        },
        first,
      ),
    );
  };
}

/** Whether a balancer sends a request to the second of two instances. */
function inTurns() {
  let requests = 0;
  return ({ status }: Passing) => {
    requests += 1;
    return requests % 2 === 0 && status >= 200 && status < 300;
  };
}

/** Deployments of several instances, or with a cache in front: some answers are right, and some are not. */
export const INSTANCES: readonly Attack[] = [
  {
    name: "instances/one-of-two-takes-any-key",
    area: 1,
    fast: true,
    when: (passing) => passing.status === 401 && isEven(passing),
    damage: answer({ status: 200, body: OK }),
    select: "getDispute/accepted,getDispute/auth/*,getDispute/same-question,listTransfers/accepted",
    exit: [1],
  },
  {
    name: "instances/one-of-two-refuses-the-key",
    area: 1,
    victim: "every",
    when: inTurns(),
    damage: answer({ status: 401, body: '{"status":"error","message":"invalid key"}' }),
    select:
      "getDispute/accepted,listTransfers/accepted,listTransfers/status-Blocked-accepted,createTransfer/*",
    exit: [1],
    // One failure names the instance, and no other check takes its answers for an answer to its own question.
    verdicts: { "getProfile/same-question": ["fail"], "listTransfers/status-Blocked-accepted": ["pass"] },
  },
  {
    name: "instances/one-of-two-returns-nothing",
    area: 1,
    when: (passing) => passing.status === 200 && isEven(passing),
    damage: answer({ body: "" }),
    exit: [1],
    verdicts: { "getDispute/answers/json": ["fail"] },
  },
  {
    name: "instances/one-of-eight-returns-a-page",
    area: 1,
    when: (passing) => passing.status === 200 && passing.count % 8 === 0,
    damage: answer({ headers: { "Content-Type": "text/html" }, body: "<!doctype html>Maintenance" }),
    exit: [1],
    verdicts: { "getDispute/answers/json": ["fail"] },
  },
  {
    name: "cache/of-transfers",
    area: 1,
    victim: "createTransfer",
    damage: cached(),
    select:
      "createTransfer/accepted,createTransfer/optional-fields,createTransfer/transactionId-unique,listTransfers/accepted",
    exit: [1],
  },
  {
    name: "cache/of-lists",
    area: 1,
    victim: "listTransfers",
    damage: cached(),
    select: "listTransfers/paging/*,listTransfers/accepted,getProfile/exists",
    exit: [1, 4],
    verdicts: { "listTransfers/accepted": ["pass"] },
  },
  {
    name: "cache/of-refusals",
    area: 1,
    when: ({ status }) => status === 401,
    damage: answer({ status: 200, body: OK, more: [["Age", "60"]] }),
    select: "getDispute/accepted,getDispute/auth/*,listTransfers/accepted",
    exit: [1],
  },
];
