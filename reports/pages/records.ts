import { groupBy } from "../grouping.ts";
import { countsOf, expectedOf, totalsOf } from "../verdicts/money.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { Created } from "../verdicts/verdict.ts";
import { formatAmount, plural } from "../wording.ts";
import { time } from "./head.ts";
import { html, type Markup } from "./html.ts";
import { facts, section, table } from "./page.ts";

/** What the run left behind: the money that it moved, and the records that no operation of this API can delete. */
export function recordSection({ created, money }: Verdicts): Markup | false {
  const moved = money.kept.count + money.released.count > 0;
  if (created.length === 0 && !moved) return false;
  return section(
    "records",
    "Money and records",
    moved && moneyFacts(money),
    created.length > 0 && recordList(created),
  );
}

function moneyFacts(money: Verdicts["money"]): Markup {
  const { worst, kept, released, limit } = money;
  const expected = expectedOf(money);
  const sum = ({ count, total }: Verdicts["money"]["kept"]) =>
    `${plural(count, "payout")}, ${formatAmount(total)} in total`;
  const caps = [
    limit.count !== null && `at most ${plural(limit.count, "payout")}`,
    limit.total !== null && `at most ${formatAmount(limit.total)}`,
  ].filter((cap) => cap !== false);
  return facts([
    ["Made or unknown", sum(kept)],
    ["Expected", `${countsOf(expected)}, ${totalsOf(expected)}`],
    ["Worst case", worst ? sum(worst) : undefined],
    ["Rejected by the API", plural(released.count, "request")],
    ["Caps", caps.join(", ") || "none"],
  ]);
}

function recordList(created: readonly Created[]): Markup {
  const counts = [...groupBy(created, ({ operation }) => operation)].map(
    ([operation, { length }]) => `${length} by ${operation}`,
  );
  const rows = created.map(({ operation, reference, identifier = "", at }) => [
    html`<span class="id">${reference}</span>`,
    html`<span class="id">${identifier}</span>`,
    operation,
    time(at),
  ]);
  const columns = ["Reference", "Identifier", "Operation", "Time"];
  return html`<p>The run created ${plural(created.length, "record")}, which this API cannot delete: ${counts.join(", ")}.</p>
<details><summary>Show every record (also in created.csv)</summary>
${table("Records that the run created", columns, rows)}</details>`;
}

/** The failures that the operator accepted: why, by whom and until when. */
export function waiverSection({ waivers, checks }: Verdicts): Markup | false {
  if (waivers.length === 0) return false;
  const rows = waivers.map(({ check, reason, owner, ticket = "", expires }) => {
    const verdict = checks.find(({ id }) => id === check)?.verdict ?? "not run";
    return [html`<span class="id">${check}</span>`, verdict, reason, owner, ticket, expires];
  });
  const columns = ["Check", "Verdict", "Reason", "Owner", "Ticket", "Valid until"];
  return section("waivers", `Waivers (${waivers.length})`, table("Waivers", columns, rows));
}

/** What changed since the earlier run that the gate was given. */
export function baselineSection({ baseline }: Verdicts): Markup | false {
  if (!baseline) return false;
  const { path, startedAt, newFailures, fixed, known } = baseline;
  return section(
    "baseline",
    "Since the baseline",
    facts([
      ["Baseline", html`<code>${path}</code> of ${time(startedAt)}`],
      [`New failures (${newFailures.length})`, newFailures.join(", ")],
      [`Fixed (${fixed.length})`, fixed.join(", ")],
      [`Known (${known.length})`, known.join(", ")],
    ]),
  );
}
