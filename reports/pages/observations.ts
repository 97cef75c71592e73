import { type OpenItemId, openItems } from "../../schemas/open-items.ts";
import { groupBy } from "../text/grouping.ts";
import { plural } from "../text/wording.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { Observation } from "../verdicts/verdict.ts";
import { html, type Markup } from "./html.ts";
import { FIRST_ITEMS, TOPICS } from "./observation-topics.ts";
import { section } from "./page.ts";

/** If a sentence holds for more operations than this, their number replaces their names. */
const MOST_NAMES = 4;

/** What the deployment does where the specification leaves it open: the few that matter first, then all by topic. */
export function observationSection({ observations }: Verdicts): Markup | false {
  if (observations.length === 0) return false;
  const alarming = observations.filter((observation) => observation.alarming);
  const first = FIRST_ITEMS.flatMap((item) => about(observations, item));
  return section(
    "observations",
    "Observations",
    html`<p>What this deployment does where the specification leaves it open. The specification neither requires nor forbids any of this.</p>`,
    alarming.length > 0 &&
      html`<article class="warn"><h3>Permitted, but worth checking before going live</h3>${sentences(alarming)}</article>`,
    first.length > 0 && html`<h3>Most often asked</h3>${sentences(first)}`,
    html`<h3>All observations by topic</h3>${Object.entries(TOPICS).map(([title, items]) => topic(title, items, observations))}`,
  );
}

function topic(
  title: string,
  items: readonly OpenItemId[],
  observations: readonly Observation[],
): Markup | false {
  const parts = items
    .map((item) => ({ item, seen: about(observations, item) }))
    .filter(({ seen }) => seen.length > 0);
  if (parts.length === 0) return false;
  const count = parts.reduce((sum, { seen }) => sum + distinct(seen).size, 0);
  return html`<details><summary><strong>${title}</strong> <span class="soft">(${plural(count, "observation")})</span></summary>
${parts.map(({ item, seen }) => html`<h4>${item}: ${openItems[item]}</h4>${sentences(seen)}`)}</details>`;
}

/** An observation may be about several items; it is shown under the first of them only. */
const about = (observations: readonly Observation[], item: OpenItemId) =>
  observations.filter((observation) => observation.item.split(",")[0] === item);

const distinct = (seen: readonly Observation[]) => groupBy(seen, ({ text }) => text);

/** Lists each sentence once, with the operations for which it holds. */
function sentences(seen: readonly Observation[]): Markup {
  const lines = [...distinct(seen)].map(([text, same]) => {
    const operations = [...new Set(same.map(({ operation }) => operation))];
    const names = operations.length > MOST_NAMES ? `${operations.length} operations` : operations.join(", ");
    return html`<li>${text} <span class="soft">(${names})</span></li>`;
  });
  return html`<ul>${lines}</ul>`;
}
