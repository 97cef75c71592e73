import { type OpenItemId, openItems } from "../../schemas/open-items.ts";
import { groupBy } from "../grouping.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { Observation } from "../verdicts/verdict.ts";
import { plural } from "../wording.ts";
import { html, type Markup } from "./html.ts";
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

/** The open items that an integrator or an auditor asks about first: money, access, and finding what one created. */
export const FIRST_ITEMS: readonly OpenItemId[] = [
  "G05",
  "G06",
  "G07",
  "G21",
  "N24",
  "G18",
  "N32",
  "N31",
  "G04",
  "G03",
  "G17",
];

/** Every open item under one topic, in the order in which a report shows them. */
export const TOPICS: Readonly<Record<string, readonly OpenItemId[]>> = {
  "Payouts, payments and refunds": [
    "G05",
    "G06",
    "G07",
    "G21",
    "N24",
    "N25",
    "N11",
    "N13",
    "G12",
    "G01",
    "G02",
  ],
  "Keys and access": ["N32", "N33", "G10", "G11", "G18"],
  "Rejections and status codes": ["N39", "N40", "G13", "G14", "N17", "N19", "N22", "N31", "G22"],
  "Lists and pages": ["G03", "G04", "N15", "N16", "N42", "G17"],
  "Fields of records": [
    "N01",
    "N02",
    "N03",
    "N04",
    "N05",
    "N06",
    "N18",
    "N20",
    "N21",
    "N23",
    "N26",
    "N27",
    "N28",
  ],
  "Accepted values and formats": [
    "N07",
    "N08",
    "N09",
    "N10",
    "N12",
    "N29",
    "N30",
    "N43",
    "G15",
    "G16",
    "G20",
  ],
  "HTTP, paths and headers": ["N14", "G08", "G09"],
  "Speed, limits and certainty": ["N41", "G19"],
  "Events and versions": ["N34", "N35", "N36", "N37", "N38", "N44", "N45", "N46"],
};
