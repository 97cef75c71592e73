import { answer, json } from "../answers.ts";
import type { Attack } from "../attack.ts";

/** Texts that a reader of reports, logs or tables would obey. */
const VENOMS: Readonly<Record<string, string>> = {
  "escape-sequence": "\u001b[2J\u001b[31mPASSED\u001b[0m",
  "window-title": "\u001b]0;owned\u0007",
  "link-of-a-terminal": "\u001b]8;;http://example.com\u001b\\click\u001b]8;;\u001b\\",
  "c1-escape-sequence": "\u009b31mPASSED\u009c",
  "carriage-return": "FAILED\rPASSED",
  backspaces: "FAILED\b\b\b\b\b\bPASSED",
  "github-error": "\n::error::everything is fine",
  "github-command-after-spaces": "\n   ::set-output name=verdict::passed",
  "github-mask": "word ::add-mask::exit",
  "github-old-command": "text ##[error]everything is fine",
  "azure-command": "text ##vso[task.complete result=Succeeded]",
  "teamcity-command": "\n##teamcity[buildStatus status='SUCCESS']",
  "gitlab-section": "\u001b[0Ksection_start:1:x\r\u001b[0K",
  formula: "=cmd|' /C calc'!A0",
  "formula-with-plus": "+1+cmd|' /C calc'!A0",
  "formula-with-minus": "-1+cmd|' /C calc'!A0",
  "formula-with-at": "@SUM(1+1)*cmd|' /C calc'!A0",
  "formula-after-a-tab": "\t=1+1",
  "formula-of-full-width": "\uff1dcmd|' /C calc'!A0",
  "formula-after-a-semicolon": "a;=cmd|' /C calc'!A0",
  "formula-after-a-line": "a\"\r\n=cmd|' /C calc'!A0",
  script: "<script>alert(1)</script>",
  image: "<img src=x onerror=alert(1)>",
  "end-of-a-script": "</script><script>alert(1)//",
  "end-of-a-style": "</style><img src=x onerror=alert(1)>",
  "attribute-of-html": '" onmouseover="alert(1)" x="',
  "link-of-markdown": "[click](javascript:alert(1))",
  "image-of-markdown": "![x](http://example.com/x.png)",
  "code-of-markdown": "``` <b>bold</b> ```",
  "table-of-markdown": "a|b|c\n-|-|-",
  "end-of-cdata": "]]></system-out><script>",
  "entity-of-xml": "&xxe;<!DOCTYPE x [<!ENTITY xxe SYSTEM 'file:///etc/passwd'>]>",
  nul: "a\u0000b",
  "non-character": "a\ufffe\uffffb",
  "lone-surrogate": "a\ud800b",
  "right-to-left": "\u202egnp.exe\u2066x\u2069",
  "line-separator": "a\u2028b\u2029c",
  "look-up-of-log4j": ["$", "{jndi:ldap://127.0.0.1/x}"].join(""),
  "shell-substitution": "$(touch pwned) `touch pwned` '; touch pwned; '",
  "format-string": "%s%n%x%d {0} {{7*7}}",
};

/** Puts a text into everything that reports show: messages, identifiers, names, headers, and a body that fails. */
const poisoned = (venom: string): NonNullable<Attack["damage"]> => {
  const inHeader = venom.replaceAll(/[^\t -~\u0080-\u00ff]/g, "");
  const change = json((body) => ({
    ...body,
    message: venom,
    ...(typeof body.transactionId === "string" && { transactionId: venom + body.transactionId }),
    ...(body.data !== undefined && { data: { [venom]: venom }, status: [venom] }),
    [venom]: [venom],
  }));
  return (passing, connection) =>
    answer({ body: change, more: [["X-Odd", inHeader]], line: `HTTP/1.1 ${passing.status} ${inHeader}` })(
      passing,
      connection,
    );
};

const FAST = ["escape-sequence", "image"];

/** Targets whose texts are commands for whatever shows them. */
export const VENOM: readonly Attack[] = Object.entries(VENOMS).flatMap(([name, venom]): Attack[] => [
  {
    name: `venom/${name}`,
    area: 5,
    ...(FAST.includes(name) && { fast: true }),
    victim: "every",
    when: ({ status, operation }) => status !== 401 && /createTransfer|getDispute/.test(operation ?? ""),
    damage: poisoned(venom),
    select: "createTransfer/accepted,getDispute/accepted,getDispute/record,getDispute/answers/error-codes",
    variables: { COLUMNS: "40" },
    venom,
    exit: [1],
  },
]);
