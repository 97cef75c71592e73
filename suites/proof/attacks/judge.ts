import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { secretsOf } from "../../../fixtures/engine/config/secrets.ts";
import { amountsOf, readableEntries, sumOf } from "../../../fixtures/engine/ledger/entries.ts";

import { findLeaks } from "../../../fixtures/engine/redaction/leaks.ts";
import { Redactor } from "../../../fixtures/engine/redaction/redaction.ts";
import type { Verdicts } from "../../../reports/verdicts/run.ts";
import type { Attack } from "./attack.ts";
import { livelyIn, livelyInFile } from "./inert.ts";
import type { Measured } from "./measured.ts";
import type { Paid } from "./paid.ts";

/** Everything that is known about a command once it has ended. */
export interface Ending {
  readonly attack: Attack;
  readonly ended: Measured;
  /** The folder in which the command ran. */
  readonly folder: string;
  readonly file: Verdicts | undefined;
  /** What the sandbox has paid meanwhile. */
  readonly paid: Paid;
  readonly variables: Readonly<Record<string, string>>;
  /** Requests that followed a redirect. */
  readonly followed: readonly string[];
}

/** No run needs more memory. */
const MOST_MEGABYTES = 400;

/** What did not hold: of the attack's own expectations, and of what must hold under any attack. */
export const judge = (ending: Ending): string[] => [
  ...endOf(ending),
  ...verdictsOf(ending),
  ...moneyOf(ending),
  ...ending.followed.slice(0, 1).map((path) => `it followed a redirect to ${path.slice(0, 40)}`),
  ...printedBy(ending),
  ...filesOf(ending),
];

function endOf({ attack: { exit, says }, ended }: Ending): string[] {
  const { code, overdue, seconds, megabytes, stdout, stderr } = ended;
  const printed = stdout + stderr;
  return [
    overdue && `it did not end within ${Math.round(seconds)} s`,
    !overdue &&
      !exit.includes(code ?? -1) &&
      `exit code ${code} instead of ${exit.join(" or ")}: ${last(printed)}`,
    megabytes > MOST_MEGABYTES && `it held ${Math.round(megabytes)} MB`,
    says && !says.test(printed) && `it did not say ${says}: ${last(printed)}`,
    /^\s+at .*:\d+:\d+\)?$/m.test(printed) && `it showed a stack trace`,
  ].filter((complaint) => typeof complaint === "string");
}

const last = (text: string) => JSON.stringify(text.trimEnd().split("\n").slice(-2).join("\n").slice(-600));

function verdictsOf({ attack: { victim = "getDispute", verdicts = {} }, file }: Ending): string[] {
  if (!file || file.outcome === "refused") return [];
  const expected = file.checks.flatMap(({ id, verdict, message }) => {
    const wanted = verdicts[id];
    const isTouched = victim === "every" || id.startsWith(`${victim}/`);
    const isRight = wanted
      ? wanted.includes(verdict)
      : isTouched || ["pass", "observed", "not-tested"].includes(verdict);
    return isRight && verdict !== "suite-error" ? [] : [`${id}: ${verdict}: ${message}`];
  });
  const missing = Object.keys(verdicts).filter((id) => !file.checks.some((check) => check.id === id));
  return [...expected, ...missing.map((id) => `${id} was not run`)];
}

/** What the sandbox paid stands in the ledger. */
function moneyOf({ folder, paid, variables }: Ending): string[] {
  const kept = heldIn(join(folder, "reports/ledger"));
  const { MAX_PAYOUTS, MAX_PAYOUT_TOTAL } = variables;
  if (paid.count > Number(MAX_PAYOUTS) || paid.total > Number(MAX_PAYOUT_TOTAL))
    return [`the target paid ${paid.count} (${paid.total}), more than the caps allow`];
  return paid.count > kept.count || paid.total > kept.total + 0.005
    ? [`the target paid ${paid.count} (${paid.total}), the ledger has ${kept.count} (${kept.total})`]
    : [];
}

/** What the ledgers of a folder have reserved and not released. */
function heldIn(folder: string): Paid {
  const amounts = namesIn(folder).flatMap((name) => {
    const entries = readableEntries(readFileSync(join(folder, name), "utf8"));
    const held = [...new Set(entries.map(({ run }) => run))].flatMap((run) => amountsOf(entries, run));
    return held.flatMap(({ state, amount }) => (state === "release" ? [] : [amount]));
  });
  return sumOf(amounts);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Workflow commands that the suite means as such. */
const OWN = /^::(error|warning) title=|^::stop-commands::|^::[0-9a-f-]{36}::$/;

function printedBy({ ended: { stdout, stderr }, variables }: Ending): string[] {
  const own = variables.GITHUB_ACTIONS === "true" ? OWN : undefined;
  const redactor = redactorFor(variables);
  return [stdout, stderr].flatMap((text) => [
    ...livelyIn(text, own).map((what) => `it printed ${what}`),
    ...redactor.leaks(text).map((name) => `it printed the value of ${name}`),
  ]);
}

const redactorFor = (variables: Ending["variables"]) =>
  new Redactor(secretsOf(variables, variables.SECRET_KEY ?? "", {}).filter(({ value }) => value !== ""));

function filesOf({ attack: { venom, files: given = {} }, folder, variables }: Ending): string[] {
  const out = join(folder, "reports");
  const redactor = redactorFor(variables);
  const files = filesIn(out).filter((path) => !(relative(folder, path) in given));
  return [
    ...(files.length > 0 ? findLeaks(out, redactor) : []),
    ...files.flatMap((path) => livelyInFile(relative(folder, path), readFileSync(path, "utf8"), venom)),
  ];
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
