import { openItems } from "../../schemas/open-items.ts";
import { groupBy } from "../grouping.ts";
import { targetName } from "../verdicts/headline.ts";
import { operationsOf } from "../verdicts/open.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { Observation } from "../verdicts/verdict.ts";
import { escapeMarkdown, plural } from "../wording.ts";
import { html, list, type Markup, section } from "./page.ts";

/** The open items that an integrator or an auditor asks about first: money, access, and finding what one created. */
const FIRST_ITEMS = "G05 G06 G07 G21 N24 G18 N32 N31 G04 G03 G17";

/** Every open item under one topic, in the order in which a report shows them. */
const TOPICS: Readonly<Record<string, string>> = {
  "Payouts, payments and refunds": "G05 G06 G07 G21 N24 N25 N11 N13 G12 G01 G02",
  "Keys and access": "N32 N33 G10 G11 G18",
  "Rejections and status codes": "N39 N40 G13 G14 N17 N19 N22 N31 G22",
  "Lists and pages": "G03 G04 N15 N16 N42 G17",
  "Fields of records": "N01 N02 N03 N04 N05 N06 N18 N20 N21 N23 N26 N27 N28",
  "Accepted values and formats": "N07 N08 N09 N10 N12 N29 N30 N43 G15 G16 G20",
  "HTTP, paths and headers": "N14 G08 G09",
  "Speed, limits and certainty": "N41 G19",
  "Events and versions": "N34 N35 N36 N37 N38 N44 N45 N46",
};

const NAMES: Readonly<Record<string, string>> = openItems;

/** What the deployment does where the specification leaves it open: the few that matter first, then all by topic. */
export function observationSection({ observations }: Verdicts) {
  if (observations.length === 0) return false;
  // An observation may be about several items; it is shown under the first of them only.
  const byItem = groupBy(observations, ({ item }) => item.split(",")[0] ?? item);
  const seenOf = (items: string) => items.split(" ").map((item) => ({ item, seen: byItem.get(item) ?? [] }));
  const alarming = observations.filter((observation) => observation.alarming);
  const first = seenOf(FIRST_ITEMS).flatMap(({ seen }) => seen);
  const topics = Object.entries(TOPICS).map(([title, items]) => {
    const parts = seenOf(items).filter(({ seen }) => seen.length > 0);
    const count = parts.reduce((sum, { seen }) => sum + sentencesOf(seen).length, 0);
    return (
      count > 0 &&
      html`<details><summary><strong>${title}</strong> <span class="soft">(${plural(count, "observation")})</span></summary>
${parts.map(({ item, seen }) => html`<h4>${item}: ${NAMES[item]}</h4>${sentences(seen)}`)}</details>`
    );
  });
  return section(
    "observations",
    "Observations",
    "Observations",
    html`<p>What this deployment does where the specification leaves it open. The specification neither requires nor forbids any of this.</p>`,
    alarming.length > 0 &&
      html`<article class="warn"><h3>Permitted, but worth checking before going live</h3>${sentences(alarming)}</article>`,
    first.length > 0 && html`<h3>Most often asked</h3>${sentences(first)}`,
    html`<h3>All observations by topic</h3>${topics}`,
  );
}

const sentences = (seen: readonly Observation[]): Markup =>
  list(sentencesOf(seen).map(({ text, where }) => html`${text} <span class="soft">(${where})</span>`));

/** Each different sentence once, with the operations for which it holds. */
const sentencesOf = (seen: readonly Observation[]) =>
  [...groupBy(seen, ({ text }) => text)].map(([text, same]) => ({ text, where: operationsOf(same) }));

/**
 * Renders `observations.md`, which lists by open item what the deployment does where the specification leaves it open,
 * so that its owner can complete the specification.
 */
export function renderObservations({
  observations,
  target,
  startedAt,
}: Pick<Verdicts, "observations" | "target" | "startedAt">): string {
  const name = targetName({ target });
  const where = name === target.baseUrl ? name : `${name} (${target.baseUrl})`;
  const about = `Observed on ${startedAt.slice(0, 10)} at ${where}. The specification neither requires nor forbids any of this.`;
  const sections = Object.entries(openItems).flatMap(([item, subject]) => {
    const seen = observations.filter((observation) => observation.item.split(",").includes(item));
    const lines = sentencesOf(seen).map(({ text, where }) => `- ${escapeMarkdown(text)} (${where})`);
    return lines.length > 0 ? [`## ${item}: ${subject}`, lines.join("\n")] : [];
  });
  return `${["# What the specification leaves open", escapeMarkdown(about), ...sections].join("\n\n")}\n`;
}
