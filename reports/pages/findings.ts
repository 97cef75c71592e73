import { groupBy } from "../grouping.ts";
import { aboutWarnings } from "../verdicts/answers.ts";
import { howToLoad, variablesIn } from "../verdicts/commands.ts";
import type { ExchangeReader } from "../verdicts/exchange.ts";
import { blockedCounts, groupInWords, isBlocked, openGroups, WITHOUT_PROOF } from "../verdicts/open.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { type CheckResult, isOpen } from "../verdicts/verdict.ts";
import { finding, idList } from "./finding.ts";
import { html, type Markup } from "./html.ts";
import { section, table } from "./page.ts";

/** So many MUST checks of a section show their exchange; the others link to it, so that the page stays small. */
const MOST_EXCHANGES = 60;

/** What went wrong other than checks, and checks that broke through a fault of the suite. */
export function problemSection({ problems, checks }: Verdicts): Markup | false {
  const broken = checks.filter(({ verdict }) => verdict === "suite-error");
  if (problems.length + broken.length === 0) return false;
  return section(
    "problems",
    "Problems of the run",
    problems.length > 0 && html`<ul>${problems.map((text) => html`<li>${text}</li>`)}</ul>`,
    html`${broken.map((check) => finding(check))}`,
  );
}

/** Every failure in full. */
export function failureSection(file: Verdicts, read: ExchangeReader): Markup | false {
  const found = file.checks.filter(({ verdict }) => verdict === "fail");
  const each = found.map((check) => [check]);
  return findingSection("failures", "Failures", each, file, read);
}

/** Warnings, the critical ones first; those that say the same are shown once. */
export function warningSection(file: Verdicts, read: ExchangeReader): Markup | false {
  const found = file.checks
    .filter(({ verdict }) => verdict === "warn")
    .toSorted((one, other) => Number(other.critical ?? false) - Number(one.critical ?? false));
  return findingSection("warnings", "Warnings", alike(found), file, read, aboutWarnings(file));
}

/** Checks that reached no verdict; those with the same cause are shown once. */
export function inconclusiveSection(file: Verdicts, read: ExchangeReader): Markup | false {
  const found = file.checks.filter((check) => check.verdict === "inconclusive" && !isBlocked(check));
  return findingSection("inconclusive", "Inconclusive", alike(found), file, read);
}

/** From this many checks on, a finding that they share is shown in full for the first of them only. */
const MANY = 4;

function alike(checks: readonly CheckResult[]): CheckResult[][] {
  const groups = groupBy(checks, ({ actual, expected, message }) => `${actual ?? message} ${expected}`);
  return [...groups.values()].flatMap((group) =>
    group.length < MANY ? group.map((check) => [check]) : [group],
  );
}

/** The findings of a section, one article for each group, and first how to load the key for their commands. */
function findingSection(
  id: string,
  title: string,
  groups: readonly (readonly CheckResult[])[],
  { checks, keySource }: Verdicts,
  read: ExchangeReader,
  about?: string,
): Markup | false {
  if (groups.length === 0) return false;
  const blocked = blockedCounts(checks);
  const articles = groups.flatMap(([check, ...others], index) => {
    const shown = index < MOST_EXCHANGES && check?.level === "MUST" ? read : undefined;
    return check ? [finding(check, { read: shown, blocks: blocked.get(check.id), others })] : [];
  });
  const shown = groups.flatMap(([check]) => (check ? [check] : []));
  const [advice, command] = howToLoad(variablesIn(shown), keySource);
  const count = groups.reduce((sum, { length }) => sum + length, 0);
  return section(
    id,
    `${title} (${count})`,
    about !== undefined && html`<p>${about}</p>`,
    advice !== undefined &&
      html`<p>${advice}</p>${command !== undefined && html`<pre>${command.trim()}</pre>`}`,
    html`${articles}`,
  );
}

/** What was not tested or passed without proof, by what would settle it. */
export function openSection({ checks }: Verdicts): Markup | false {
  const groups = openGroups(checks);
  const blocked = checks.filter((check) => isBlocked(check) && isOpen(check));
  const byBlocker = groupBy(blocked, ({ blockedBy = "" }) => blockedBy);
  const rows = [
    ...groups.map(({ reason, checks: some }) => [html`<strong>${reason}</strong>`, list(some)]),
    ...[...byBlocker].map(([id, some]) => [
      html`<strong>settle ${id === "" ? "another check" : html`<a href="#${id}">${id}</a>`}</strong>`,
      list(some),
    ]),
  ];
  if (rows.length === 0) return false;
  const count = groups.reduce((sum, { checks: some }) => sum + some.length, blocked.length);
  return section(
    "not-tested",
    `Not tested, or passed without proof (${count})`,
    html`<p>${WITHOUT_PROOF}</p>`,
    table("What would settle the open checks", ["What would settle them", "Checks"], rows),
  );
}

const list = (checks: readonly CheckResult[]): Markup =>
  html`<details><summary>${groupInWords(checks)}</summary>
${idList(checks)}</details>`;
