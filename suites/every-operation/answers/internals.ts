/** Traces of a framework's error page or of a database message in a body. */
const INTERNALS: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    "a stack trace",
    /\bat (async )?[\w.$<>]+ \(?[^\s()"]+\.[cm]?[jt]sx?:\d+:\d+|\bat [\w.$]+\([\w$]+\.java:\d+\)/,
  ],
  ["a stack trace", /Traceback \(most recent call last\)|\bFile "[^"]+\.py", line \d+/],
  ["a stack trace", /\b(java|javax|org|com)\.[\w.]+(Exception|Error)\b|\bSystem\.\w+Exception\b/],
  ["a stack trace", /\bgoroutine \d+ \[running\]|#\d+ \/[\w/.-]+\.php\(\d+\)/],
  [
    "a file path",
    /(?:^|[\s"'(])(?:\/(?:usr|var|home|opt|srv|app|src|root)\/|[A-Z]:\\)[\w./\\@-]+\.(?:[cm]?[jt]s|py|rb|php|go|java|cs)\b/,
  ],
  ["a file path", /\bnode_modules\/[\w@.-]+/],
  [
    "a database message",
    /\bSQLSTATE\b|\bORA-\d{5}\b|\bsyntax error at or near\b|You have an error in your SQL syntax/i,
  ],
  [
    "a database message",
    /\b(duplicate key value violates unique constraint|relation "[^"]+" does not exist)/i,
  ],
  ["SQL", /\b(SELECT\s[\w\s,.*"`]+\sFROM\s["`\w.]+|INSERT INTO\s["`\w.]+\s*\(|UPDATE\s["`\w.]+\sSET\s)/],
  [
    "a framework's page",
    /Werkzeug Debugger|DisallowedHost at \/|Whoops, looks like something went wrong|Whitelabel Error Page/,
  ],
];

/** The kind of internals that a body shows; `undefined` if it shows none. */
export const internalsIn = (text: string): string | undefined =>
  INTERNALS.find(([, pattern]) => pattern.test(text))?.[0];
