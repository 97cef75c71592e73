import { answer, bytesOf } from "../answers.ts";
import { type Attack, attacks, PASSED } from "../attack.ts";
import type { Damage, Passing } from "../hostile-target.ts";

const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
const PROCESSING = "HTTP/1.1 102 Processing\r\n\r\n";
const HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n";

const INTERIM: Readonly<Record<string, string>> = {
  continue: CONTINUE,
  "continue-twice": CONTINUE + CONTINUE,
  processing: PROCESSING,
  "early-hints": HINTS,
  all: CONTINUE + PROCESSING + HINTS,
};

/** Whether a request comes in the first seconds after the preflight, which sends the victim no key. */
function atFirst(milliseconds: number) {
  let start: number | undefined;
  return ({ operation, status, age }: Passing) => {
    if (operation === "getDispute" && status === 200) start ??= age;
    return start !== undefined && age <= start + milliseconds;
  };
}

const reset: Damage = (_, connection) => connection.resetAndDestroy();
const busy = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  answer({ status, headers: { "Content-Type": "text/html", ...headers }, body: "<html>try later</html>" });

const OUTAGES: Readonly<Record<string, Damage>> = {
  "connections-reset-for-3-seconds": reset,
  "502-for-3-seconds": busy(502),
  "503-for-3-seconds": busy(503),
  "504-for-3-seconds": busy(504),
};

/** What a deployment does from its first response on. */
const AT_ALL_TIMES: Readonly<Record<string, readonly [damage: Damage, says: RegExp]>> = {
  "outage/from-the-start": [reset, /cannot be reached/],
  "outage/502-from-the-start": [busy(502), /returned 502/],
  "throttle/429-for-ever": [busy(429), /is busy/],
  "throttle/503-for-ever": [busy(503), /is busy/],
};

const DATES: Readonly<Record<string, string | null>> = {
  "date-in-1970": "Thu, 01 Jan 1970 00:00:00 GMT",
  "date-in-2099": "Fri, 31 Dec 2099 23:59:59 GMT",
  "date-that-is-none": "yesterday",
  "date-in-a-year-of-six-digits": "Fri, 31 Dec 275761 23:59:59 GMT",
  "date-missing": null,
};

const HEADERS: Readonly<Record<string, Damage>> = {
  "duplicates-that-differ": answer({
    more: [
      ["Cache-Control", "no-store"],
      ["Cache-Control", "private"],
      ["Server", "a"],
      ["Server", "b"],
      ["Date", "Thu, 01 Jan 1970 00:00:00 GMT"],
    ],
  }),
  "connection-kept-alive-and-closed": answer({ headers: { Connection: "keep-alive" } }),
};

/** What happens to good deployments too: nothing that a request can outlive may turn a check red. */
const TROUBLE: readonly Attack[] = [
  ...attacks("interim", INTERIM, (before) => ({
    victim: "every",
    damage: (passing, connection) =>
      connection.end(Buffer.concat([Buffer.from(before), bytesOf({}, passing)])),
    exit: [0],
    verdicts: { "getDispute/accepted": ["pass"], "getDispute/answers/success-shape": ["pass"] },
  })),
  ...attacks("outage", OUTAGES, (damage) => ({
    victim: "every",
    when: atFirst(3000),
    damage,
    exit: [0, 4],
    verdicts: { "getDispute/accepted": ["pass", "warn", "inconclusive"] },
  })),
  ...Object.entries(AT_ALL_TIMES).map(
    ([name, [damage, says]]): Attack => ({
      name,
      victim: "every",
      when: () => true,
      damage,
      exit: [3],
      says,
    }),
  ),
  ...[429, 503].flatMap((status): Attack[] => [
    {
      name: `throttle/${status}-for-every-third-request`,
      victim: "every",
      when: ({ count }) => count % 3 === 0,
      damage: busy(status, { "Retry-After": "0" }),
      exit: [0, 4],
      verdicts: { "getDispute/accepted": ["pass", "inconclusive"] },
    },
    ...["99999999", "-1", "soon", "Fri, 31 Dec 2099 23:59:59 GMT", ""].map(
      (after): Attack => ({
        name: `throttle/${status}-with-retry-after-${after.replaceAll(/\W+/g, "-") || "nothing"}`,
        victim: "every",
        when: ({ operation, count }) => operation === "getDispute" && count === 3,
        damage: busy(status, { "Retry-After": after }),
        exit: [0, 4],
        verdicts: { "getDispute/accepted": ["pass", "inconclusive"] },
      }),
    ),
  ]),
  {
    name: "cold-start/of-3-seconds",
    victim: "every",
    when: ({ age }) => age < 3000,
    variables: { REQUEST_TIMEOUT_MS: "8000" },
    damage: (passing, connection) => void setTimeout(() => connection.end(bytesOf({}, passing)), 3000),
    ...PASSED,
  },
  ...attacks("clock", DATES, (date) => ({
    victim: "every",
    damage: answer({ headers: { Date: date } }),
    ...PASSED,
  })),
  ...attacks("headers", HEADERS, (damage) => ({ victim: "every", damage, ...PASSED })),
];

/** Gives the first response again and again, as a cache does that knows requests by their paths alone. */
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

const every = (n: number, status: number) => (passing: Passing) =>
  passing.status === status && passing.count % n === 0;
const AUTH = "getDispute/accepted,getDispute/auth/*,listTransfers/accepted";
const OK = '{"status":"success","message":"ok","data":{"reference":"r","status":"open"}}';

/** Several instances, or a cache in front: some responses are right, and some are not. */
const INSTANCES: readonly Attack[] = [
  {
    name: "instances/one-of-two-takes-any-key",
    when: every(2, 401),
    damage: answer({ status: 200, body: OK }),
    select: `${AUTH},getDispute/same-question`,
    exit: [1],
  },
  {
    name: "instances/one-of-two-refuses-the-key",
    victim: "every",
    when: inTurns(),
    damage: answer({ status: 401, body: '{"status":"error","message":"invalid key"}' }),
    select:
      "getDispute/accepted,listTransfers/accepted,listTransfers/status-Blocked-accepted,createTransfer/*",
    exit: [1],
    // One failure names the instance, and no other check is judged by its responses.
    verdicts: { "getProfile/same-question": ["fail"], "listTransfers/status-Blocked-accepted": ["pass"] },
  },
  {
    name: "instances/one-of-two-returns-nothing",
    when: every(2, 200),
    damage: answer({ body: "" }),
    exit: [1],
    verdicts: { "getDispute/answers/json": ["fail"] },
  },
  {
    name: "instances/one-of-eight-returns-a-page",
    when: every(8, 200),
    damage: answer({ headers: { "Content-Type": "text/html" }, body: "<!doctype html>Maintenance" }),
    exit: [1],
    verdicts: { "getDispute/answers/json": ["fail"] },
  },
  {
    name: "cache/of-transfers",
    victim: "createTransfer",
    damage: cached(),
    select:
      "createTransfer/accepted,createTransfer/optional-fields,createTransfer/transactionId-unique,listTransfers/accepted",
    exit: [1],
  },
  {
    name: "cache/of-lists",
    victim: "listTransfers",
    damage: cached(),
    select: "listTransfers/paging/*,listTransfers/accepted,getProfile/exists",
    exit: [1, 4],
    verdicts: { "listTransfers/accepted": ["pass"] },
  },
  {
    name: "cache/of-refusals",
    when: ({ status }) => status === 401,
    damage: answer({ status: 200, body: OK, more: [["Age", "60"]] }),
    select: AUTH,
    exit: [1],
  },
];

/** Deployments in trouble, behind a cache, or of several instances that differ. */
export const DEPLOYMENTS: readonly Attack[] = [...TROUBLE, ...INSTANCES];
