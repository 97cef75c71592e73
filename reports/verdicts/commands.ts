import { present, printable } from "../wording.ts";
import type { CheckResult } from "./verdict.ts";

const EFFECTS = {
  read: undefined,
  money: "This moves money if the API accepts it.",
  create: "This creates a record, which this API cannot delete, if the API accepts it.",
  update: "This changes a record if the API accepts it.",
};

const TOGETHER = "# Paste these lines together: their order and the time between them may matter.";

/**
 * The lines to paste for a finding: before each command, comments say what the API returned and what the command does. Without steps, the
 * command that repeats the decisive request.
 */
export function pasteable({ steps = [], curl }: Pick<CheckResult, "steps" | "curl">): string[] {
  if (steps.length === 0) return present(curl);
  const lines = steps.flatMap(({ request, outcome, body, decisive, notes = [], effect, ...step }, index) => {
    const place = `${index + 1} of ${steps.length}${decisive ? ", which decides" : ""}`;
    const story = printable(`${place}: ${request} ${outcome}${body ? `: ${body}` : ""}`);
    const comments = present(steps.length > 1 && story, ...notes, EFFECTS[effect]);
    return [...comments.map((comment) => `# ${comment}`), step.curl];
  });
  return [...present(steps.length > 1 && TOGETHER), ...lines];
}

/** Says what to do in bash before the commands of these checks are pasted; nothing if they use no variable. */
export function whatToSet(
  checks: readonly Pick<CheckResult, "steps">[],
  { embedded }: { readonly embedded: boolean },
): string[] {
  const commands = checks.flatMap(({ steps = [] }) => steps.map(({ curl }) => curl));
  if (!commands.some((command) => /"\$(?!RUN")[A-Z]/.test(command))) return [];
  return embedded
    ? [
        "The commands called the embedded sandbox, which has stopped; npm run sandbox starts one that goes on.",
      ]
    : [
        "To repeat these requests, set their variables in bash as this run had them, for example with: set -a; . ./.env; set +a",
      ];
}
