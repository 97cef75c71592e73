import { answer } from "../../answers.ts";
import { type Attack, FAILED } from "../../attack.ts";
import { TRAP } from "../../hostile-target.ts";

/** Statuses that are no success of a read, around the body of one. */
const WRONG = [201, 202, 203, 204, 205, 206, 226, 299, 304, 418, 500, 501, 505, 599, 600, 999];
const REDIRECTS = [300, 301, 302, 303, 307, 308];

const PLACES: Readonly<Record<string, string>> = {
  "to-itself": "?",
  "to-a-file": "file:///etc/passwd",
  "to-another-scheme": "javascript:alert(1)",
  "to-nowhere": "",
  "to-a-very-long-place": `${TRAP}?${"a".repeat(60_000)}`,
};

/** Answers whose status says something else than their body. */
export const STATUSES: readonly Attack[] = [
  ...WRONG.map(
    (status): Attack => ({
      name: `status/${status}`,
      area: 1,
      damage: answer({ status }),
      ...FAILED,
      // A body that may not be there makes the answer unreadable, and a 4xx may be about the operator's data.
      ...([204, 205, 304, 418].includes(status) && {
        verdicts: { "getDispute/accepted": ["fail", "inconclusive"] },
      }),
      exit: [1, 4],
    }),
  ),
  {
    name: "status/101-switching-protocols",
    area: 3,
    fast: true,
    damage: (passing, connection) => {
      // It stays open, as after a real switch.
      connection.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n");
      connection.write(passing.body);
    },
    exit: [1, 4],
    verdicts: { "getDispute/accepted": ["fail", "inconclusive"] },
  },
  ...REDIRECTS.map(
    (status): Attack => ({
      name: `redirect/${status}`,
      area: 1,
      damage: answer({ status, headers: { Location: TRAP } }),
      ...FAILED,
    }),
  ),
  ...Object.entries(PLACES).map(
    ([name, place]): Attack => ({
      name: `redirect/${name}`,
      area: 1,
      damage: answer({ status: 302, headers: { Location: place } }),
      ...FAILED,
    }),
  ),
  {
    name: "redirect/every-answer",
    area: 1,
    victim: "every",
    when: () => true,
    damage: answer({ status: 302, headers: { Location: `${TRAP}/login` }, body: "" }),
    exit: [3],
  },
  {
    name: "login-page/every-answer",
    area: 1,
    fast: true,
    victim: "every",
    when: () => true,
    damage: answer({
      status: 200,
      headers: { "Content-Type": "text/html" },
      body: "<!doctype html><title>Log in</title><form action=/login>",
    }),
    exit: [3],
    says: /login page/,
  },
];
