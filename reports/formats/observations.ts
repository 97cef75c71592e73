import { openItems } from "../../schemas/open-items.ts";
import { groupBy } from "../grouping.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { Observation } from "../verdicts/verdict.ts";
import { escapeMarkdown } from "../wording.ts";

/** If a sentence holds for more operations than this, their number replaces their names. */
const MOST_NAMES = 4;

/**
 * Renders `observations.md`, which lists by open item what the deployment does where the specification leaves it open,
 * so that its owner can complete the specification.
 */
export function renderObservations({
  observations,
  target,
  startedAt,
}: Pick<Verdicts, "observations" | "target" | "startedAt">): string {
  const name = [target.name, target.version].filter((part) => part !== undefined).join(" ");
  const where = name ? `${name} (${target.baseUrl})` : target.baseUrl;
  const sections = Object.entries(openItems).flatMap(([item, about]) => {
    const seen = observations.filter((observation) => observation.item.split(",").includes(item));
    return seen.length > 0 ? [`## ${item}: ${about}`, sentences(seen).join("\n")] : [];
  });
  const head = [
    "# What the specification leaves open",
    escapeMarkdown(
      `Observed on ${startedAt.slice(0, 10)} at ${where}. The specification neither requires nor forbids any of this.`,
    ),
  ];
  return `${[...head, ...sections].join("\n\n")}\n`;
}

/** Lists each sentence once, with the operations for which it holds. */
function sentences(seen: readonly Observation[]): string[] {
  return [...groupBy(seen, ({ text }) => text)].map(([text, same]) => {
    const operations = [...new Set(same.map(({ operation }) => operation))];
    const names = operations.length > MOST_NAMES ? `${operations.length} operations` : operations.join(", ");
    return `- ${escapeMarkdown(text)} (${names})`;
  });
}
