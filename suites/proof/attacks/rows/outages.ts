import { answer, bytesOf } from "../answers.ts";
import type { Attack } from "../attack.ts";
import type { Damage, Passing } from "../hostile-target.ts";

const PASSED = { exit: [0] } as const;

const interim =
  (before: string): Damage =>
  (passing, connection) =>
    connection.end(Buffer.concat([Buffer.from(before), bytesOf({}, passing)]));

const INTERIM: Readonly<Record<string, string>> = {
  continue: "HTTP/1.1 100 Continue\r\n\r\n",
  "continue-twice": "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
  processing: "HTTP/1.1 102 Processing\r\n\r\n",
  "early-hints": "HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n",
  all: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n",
};

/** Whether a request comes in the first seconds after the preflight, which sends the victim no key. */
function atFirst(milliseconds: number) {
  let start: number | undefined;
  return ({ operation, status, age }: Passing) => {
    if (operation === "getDispute" && status === 200) start ??= age;
    return start !== undefined && age <= start + milliseconds;
  };
}
const everyThird = ({ count }: Passing) => count % 3 === 0;

const reset: Damage = (_, connection) => connection.resetAndDestroy();
const refused = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  answer({ status, headers: { "Content-Type": "text/html", ...headers }, body: "<html>try later</html>" });

const DATES: Readonly<Record<string, string | null>> = {
  "in-1970": "Thu, 01 Jan 1970 00:00:00 GMT",
  "in-2099": "Fri, 31 Dec 2099 23:59:59 GMT",
  "that-is-none": "yesterday",
  "in-a-year-of-six-digits": "Fri, 31 Dec 275761 23:59:59 GMT",
  missing: null,
};

/** What happens to good deployments too: nothing that a request cannot outlive may turn a check red. */
export const OUTAGES: readonly Attack[] = [
  ...Object.entries(INTERIM).map(
    ([name, before]): Attack => ({
      name: `interim/${name}`,
      area: 4,
      ...(name === "all" && { fast: true }),
      victim: "every",
      damage: interim(before),
      ...PASSED,
      verdicts: { "getDispute/accepted": ["pass"], "getDispute/answers/success-shape": ["pass"] },
    }),
  ),
  {
    name: "outage/connections-reset-for-3-seconds",
    area: 4,
    victim: "every",
    when: atFirst(3000),
    damage: reset,
    exit: [0, 4],
    verdicts: { "getDispute/accepted": ["pass", "warn", "inconclusive"] },
  },
  ...[502, 503, 504].map(
    (status): Attack => ({
      name: `outage/${status}-for-3-seconds`,
      area: 4,
      victim: "every",
      when: atFirst(3000),
      damage: refused(status),
      exit: [0, 4],
      verdicts: { "getDispute/accepted": ["pass", "warn", "inconclusive"] },
    }),
  ),
  {
    name: "outage/from-the-start",
    area: 4,
    victim: "every",
    when: () => true,
    damage: reset,
    exit: [3],
    says: /cannot be reached/,
  },
  {
    name: "outage/502-from-the-start",
    area: 4,
    victim: "every",
    when: () => true,
    damage: refused(502),
    exit: [3],
    says: /returned 502/,
  },
  ...[429, 503].flatMap((status): Attack[] => [
    {
      name: `throttle/${status}-for-every-third-request`,
      area: 4,
      victim: "every",
      when: everyThird,
      damage: refused(status, { "Retry-After": "0" }),
      exit: [0, 4],
      verdicts: { "getDispute/accepted": ["pass", "inconclusive"] },
    },
    {
      name: `throttle/${status}-for-ever`,
      area: 4,
      victim: "every",
      when: () => true,
      damage: refused(status),
      exit: [3],
      says: /is busy/,
    },
    ...["99999999", "-1", "soon", "Fri, 31 Dec 2099 23:59:59 GMT", ""].map(
      (after): Attack => ({
        name: `throttle/${status}-with-retry-after-${after.replaceAll(/\W+/g, "-") || "nothing"}`,
        area: 3,
        victim: "every",
        when: ({ operation, count }) => operation === "getDispute" && count === 3,
        damage: refused(status, { "Retry-After": after }),
        exit: [0, 4],
        verdicts: { "getDispute/accepted": ["pass", "inconclusive"] },
      }),
    ),
  ]),
  {
    name: "cold-start/of-3-seconds",
    area: 4,
    victim: "every",
    when: ({ age }) => age < 3000,
    variables: { REQUEST_TIMEOUT_MS: "8000" },
    damage: (passing, connection) => {
      setTimeout(() => connection.end(bytesOf({}, passing)), 3000);
    },
    ...PASSED,
  },
  ...Object.entries(DATES).map(
    ([name, date]): Attack => ({
      name: `clock/date-${name}`,
      area: 4,
      victim: "every",
      damage: answer({ headers: { Date: date } }),
      ...PASSED,
    }),
  ),
  {
    name: "headers/duplicates-that-differ",
    area: 4,
    victim: "every",
    damage: answer({
      more: [
        ["Cache-Control", "no-store"],
        ["Cache-Control", "private"],
        ["Server", "a"],
        ["Server", "b"],
        ["Date", "Thu, 01 Jan 1970 00:00:00 GMT"],
      ],
    }),
    ...PASSED,
  },
  {
    name: "headers/connection-kept-alive-and-closed",
    area: 4,
    victim: "every",
    damage: answer({ headers: { Connection: "keep-alive" } }),
    ...PASSED,
  },
];
