import { openItems } from "../../schemas/open-items.ts";
import { printable } from "../text/wording.ts";
import type { Observation } from "../verdicts/verdict.ts";
import type { Verdicts } from "../verdicts/verdicts.ts";

/** What is said in the same words of more operations than this is told by their number. */
const NAMED = 4;

/**
 * Renders `observations.md`: what the deployment does where the specification leaves it open, by open item, so that
 * its owner can complete the specification.
 */
export function renderObservations({
  observations,
  target,
  startedAt,
}: Pick<Verdicts, "observations" | "target" | "startedAt">): string {
  const where = [target.name, target.version, target.baseUrl].filter((part) => part !== undefined).join(" ");
  const sections = Object.entries(openItems).flatMap(([item, about]) => {
    const seen = observations.filter((observation) => observation.item.split(",").includes(item));
    return seen.length > 0 ? [`## ${item}: ${about}`, sentences(seen).join("\n")] : [];
  });
  const head = [
    "# What the specification leaves open",
    harmless(`As observed of ${where} on ${startedAt.slice(0, 10)}. None of it is right or wrong.`),
  ];
  return `${[...head, ...sections].join("\n\n")}\n`;
}

/** Each sentence once, with the operations it was seen of. */
function sentences(seen: readonly Observation[]): string[] {
  const texts = [...new Set(seen.map(({ text }) => text))];
  return texts.map((text) => {
    const operations = [
      ...new Set(seen.flatMap((observation) => (observation.text === text ? observation.operation : []))),
    ];
    const who = operations.length > NAMED ? `${operations.length} operations` : operations.join(", ");
    return `- ${harmless(text)} (${who})`;
  });
}

/** Words of the target must not become markup. */
const harmless = (text: string) => printable(text).replaceAll(/[\\`*_<>[\]|#~]/g, "\\$&");
