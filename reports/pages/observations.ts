import { openItems } from "../../schemas/open-items.ts";
import { groupBy } from "../grouping.ts";
import { operationsOf } from "../verdicts/open.ts";
import type { Observation, Verdicts } from "../verdicts/verdict.ts";
import { html, list, type Markup, section } from "./page.ts";

/** What the deployment does where the specification leaves it open, by open item; first what is worth checking. */
export function observationSection({ observations }: Verdicts) {
  if (observations.length === 0) return false;
  const alarming = observations.filter((observation) => observation.alarming);
  const items = Object.entries(openItems).flatMap(([item, subject]) => {
    const seen = observations.filter((observation) => observation.item.split(",").includes(item));
    return seen.length > 0 ? [html`<h3>${item}: ${subject}</h3>${sentences(seen)}`] : [];
  });
  return section(
    "Observations",
    "Observations",
    html`<p>What this deployment does where the specification leaves it open. The specification neither requires nor forbids any of this.</p>`,
    alarming.length > 0 &&
      html`<article class="warn"><h3>Permitted, but worth checking before going live</h3>${sentences(alarming)}</article>`,
    html`<details><summary>Show every observation</summary>${items}</details>`,
  );
}

/** Each different sentence once, with the operations for which it holds. */
const sentences = (seen: readonly Observation[]): Markup =>
  list(
    [...groupBy(seen, ({ text }) => text)].map(
      ([text, same]) => html`${text} <span class="soft">(${operationsOf(same)})</span>`,
    ),
  );
