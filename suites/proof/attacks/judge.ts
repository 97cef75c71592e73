import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { secretsOf } from "../../../fixtures/engine/config/secrets.ts";
import { amountsOf, readableEntries, sumOf } from "../../../fixtures/engine/ledger/entries.ts";
import { findLeaks } from "../../../fixtures/engine/redaction/leaks.ts";
import { Redactor } from "../../../fixtures/engine/redaction/redaction.ts";
import type { Verdicts } from "../../../reports/verdicts/run.ts";
import { present } from "../../../reports/wording.ts";
import type { Attack } from "./attack.ts";
import type { Ended } from "./try-attack.ts";

/** The number and the sum of some payments. */
export interface Paid {
  readonly count: number;
  readonly total: number;
}

/** Everything that is known about a command once it has ended. */
export interface Ending {
  readonly attack: Attack;
  readonly ended: Ended;
  /** The folder in which the command ran. */
  readonly folder: string;
  readonly verdicts: Verdicts | undefined;
  /** What the sandbox has paid meanwhile. */
  readonly paid: Paid;
  readonly variables: Readonly<Record<string, string>>;
  /** Requests that followed a redirect. */
  readonly followed: readonly string[];
}

/** No run needs more memory. */
const MOST_MEGABYTES = 400;

/** What failed: the attack's own expectations, and what must hold under any attack. */
export function judge(ending: Ending): string[] {
  const redactor = redactorFor(ending.variables);
  return [
    ...complaintsOfEnd(ending),
    ...complaintsOfVerdicts(ending),
    ...complaintsOfMoney(ending),
    ...ending.followed.slice(0, 1).map((path) => `it followed a redirect to ${path.slice(0, 40)}`),
    ...complaintsOfOutput(ending, redactor),
    ...complaintsOfFiles(ending, redactor),
  ];
}

function complaintsOfEnd({ attack: { exit, says }, ended }: Ending): string[] {
  const { code, overdue, seconds, megabytes, stdout, stderr } = ended;
  const printed = stdout + stderr;
  const last = JSON.stringify(printed.trimEnd().split("\n").slice(-2).join("\n").slice(-600));
  return present(
    overdue
      ? `it did not end within ${Math.round(seconds)} s`
      : !exit.includes(code ?? -1) && `exit code ${code} instead of ${exit.join(" or ")}: ${last}`,
    megabytes > MOST_MEGABYTES && `it held ${Math.round(megabytes)} MB`,
    says && !says.test(printed) && `it did not say ${says}: ${last}`,
    /^\s+at .*:\d+:\d+\)?$/m.test(printed) && "it showed a stack trace",
  );
}

function complaintsOfVerdicts({ attack, verdicts: found }: Ending): string[] {
  const { victim = "getDispute", verdicts = {} } = attack;
  if (!found || found.outcome === "refused") return [];
  const wrong = found.checks.filter(({ id, verdict }) => {
    const isHit = victim === "every" || id.startsWith(`${victim}/`);
    const isRight =
      verdicts[id]?.includes(verdict) ?? (isHit || ["pass", "observed", "not-tested"].includes(verdict));
    return !isRight || verdict === "suite-error";
  });
  const missing = Object.keys(verdicts).filter((id) => !found.checks.some((check) => check.id === id));
  return [
    ...wrong.map(({ id, verdict, message }) => `${id}: ${verdict}: ${message}`),
    ...missing.map((id) => `${id} was not run`),
  ];
}

/** What the sandbox paid is in the ledger. */
function complaintsOfMoney({ folder, paid, variables: { MAX_PAYOUTS, MAX_PAYOUT_TOTAL } }: Ending): string[] {
  const ledgers = join(folder, "reports/ledger");
  const kept = sumOf(
    (existsSync(ledgers) ? readdirSync(ledgers) : []).flatMap((name) => {
      const entries = readableEntries(readFileSync(join(ledgers, name), "utf8"));
      const held = [...new Set(entries.map(({ run }) => run))].flatMap((run) => amountsOf(entries, run));
      return held.flatMap(({ state, amount }) => (state === "release" ? [] : [amount]));
    }),
  );
  if (paid.count > Number(MAX_PAYOUTS) || paid.total > Number(MAX_PAYOUT_TOTAL))
    return [`the target paid ${paid.count} (${paid.total}), more than the caps allow`];
  return paid.count > kept.count || paid.total > kept.total + 0.005
    ? [`the target paid ${paid.count} (${paid.total}), the ledger has ${kept.count} (${kept.total})`]
    : [];
}

const complaintsOfOutput = ({ ended: { stdout, stderr } }: Ending, redactor: Redactor): string[] =>
  [stdout, stderr].flatMap((text) => [
    ...activeContentIn(text).map((what) => `it printed ${what}`),
    ...redactor.leaks(text).map((name) => `it printed the value of ${name}`),
  ]);

const redactorFor = (variables: Ending["variables"]) =>
  new Redactor(secretsOf(variables, variables.SECRET_KEY ?? "", {}).filter(({ value }) => value !== ""));

function complaintsOfFiles({ attack, folder }: Ending, redactor: Redactor): string[] {
  const out = join(folder, "reports");
  if (!existsSync(out)) return [];
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => !(name in (attack.files ?? {})));
  return [
    ...findLeaks(out, redactor),
    ...files.flatMap((name) =>
      activeContentInFile(name, readFileSync(join(folder, name), "utf8"), attack.payload),
    ),
  ];
}

/** What a terminal, or the reader of a job's log, would obey. */
const OBEYED: readonly (readonly [what: string, pattern: RegExp])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched for.
  ["a control character", /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\u007f-\u009f]/],
  ["a mark that reorders text", /[\u202a-\u202e\u2066-\u2069]/],
  ["a line that commands GitHub", /^\s*::[a-z-]+( [^\n]*)?::/m],
  ["a command of Azure or an old one of GitHub", /##(vso)?\[/],
  ["a line that commands TeamCity", /^\s*##teamcity\[/m],
];

/** What a spreadsheet would run, at the beginning of a cell. */
const FORMULA = /(^|[,;\t]"?)[=+@\uff1d\uff0b\uff0d\uff20-]/m;

/** What XML 1.0 forbids in a document. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** Everything in a printed text that its reader would obey. */
const activeContentIn = (text: string) => OBEYED.flatMap(([what, pattern]) => found(what, pattern, text));

/** Everything in a file of a run that its reader would obey, and the payload of an attack where it is markup. */
function activeContentInFile(name: string, content: string, payload = ""): string[] {
  const text = content.replaceAll("\r\n", "\n");
  const is = (extension: string) => name.endsWith(extension);
  const markdown = is(".md") ? text.replaceAll(/(`+)[^\n]*?\1/g, "") : "";
  const isMarkup =
    (is(".html") && /[<"]/.test(payload) && text.includes(payload)) ||
    (/[<[`|]/.test(payload) && markdown.includes(payload));
  return [
    ...activeContentIn(text).map((what) => `${name} shows ${what}`),
    ...(is(".csv") ? found(`${name} has a formula`, FORMULA, text) : []),
    ...(is(".xml") ? found(`${name} has a character that XML forbids`, NO_XML, text) : []),
    ...(isMarkup ? [`${name} has ${JSON.stringify(payload)} as markup`] : []),
    ...found(`${name} has a link`, /(?<!\\)\]\((javascript|http)/, markdown),
  ];
}

function found(what: string, pattern: RegExp, text: string): string[] {
  const match = pattern.exec(text);
  return match
    ? [`${what}: ${JSON.stringify(text.slice(Math.max(0, match.index - 20), match.index + 40))}`]
    : [];
}
