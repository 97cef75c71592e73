import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parse } from "dotenv";
import { readConfiguration, refuseProblems } from "../../fixtures/engine/config/configuration.ts";
import { parseTarget, type Target } from "../../fixtures/engine/config/target.ts";
import { type VariableName, variable, variableNames } from "../../fixtures/engine/config/variables.ts";
import { Client } from "../../fixtures/engine/http/client.ts";
import { CommandError, type Environment } from "../../reports/command-line/command.ts";
import { holdsLiveKey } from "../../reports/command-line/live-keys.ts";
import { capsFor } from "../../reports/verdicts/money.ts";
import { readChecklist } from "../runner/checklist.ts";
import { planOf } from "../runner/plan.ts";
import { CAPS, costOf, GROUPS, type Group, isOutOfScope, problemOf, REQUIRED, render } from "./questions.ts";

/** Where the setup asks and says things: a terminal. */
export interface Dialogue {
  /** Asks one question; the answer to a secret one is not shown. `undefined` ends the setup. */
  ask(question: string, secret: boolean): Promise<string | undefined>;
  say(text: string): void;
}

const NEXT = "Next: npm run certify -- --dry-run shows what a run would send; npm run certify starts it.";

/**
 * Asks for what a deployment needs and writes each answer to the env file at once, so that nothing is lost if it is
 * interrupted; what is set already is not asked again. Then checks the key with one read. Returns the exit code.
 */
export async function setUp(dialogue: Dialogue, env: Environment): Promise<number> {
  const path = env.ENV_FILE || ".env";
  if (existsSync(path))
    dialogue.say(`${path} exists: only what it does not set is asked. To start afresh, delete it.\n`);
  const interview = new Interview(dialogue, path, env);
  for (const group of GROUPS) {
    if (await interview.ask(group)) continue;
    dialogue.say(`\nStopped. ${path} has your answers so far; npm run setup goes on from there.\n`);
    return 130;
  }
  const configuration = readConfiguration({ env });
  refuseProblems(configuration, []);
  dialogue.say(`\n${path} is written. Checking the key with one read ...\n`);
  dialogue.say(`${await checkKey(parseTarget(configuration))}\n${NEXT}\n`);
  return 0;
}

/** Asks questions until each has an answer that can be used, and adds the answers to an env file. */
class Interview {
  readonly #dialogue: Dialogue;
  readonly #path: string;
  readonly #env: Environment;

  constructor(dialogue: Dialogue, path: string, env: Environment) {
    this.#dialogue = dialogue;
    this.#path = path;
    this.#env = env;
  }

  /** Asks what a group lacks, unless one answer skips it all; returns whether to go on. */
  async ask({ title, names }: Group): Promise<boolean> {
    const open = names.filter((name) => !this.#known[name] && !isOutOfScope(name, this.#outOfScope));
    if (title && open.length > 1) {
      const cost = costOf(open, this.#outOfScope);
      const typed = await this.#dialogue.ask(
        `\n${title}: ${open.join(", ")}\n  (Press Enter to answer these ${open.length} questions, or type n to skip them, which leaves ${cost} untested.)\n> `,
        false,
      );
      if (typed === undefined) return false;
      if (/^n/i.test(typed.trim())) return true;
    }
    for (const name of open) {
      if (CAPS.includes(name) && this.#known.ALLOW_PAYOUTS !== "true") continue;
      const answer = await this.#answerTo(name);
      if (answer === undefined) return false;
      if (answer !== "") append(this.#path, name, answer);
    }
    return true;
  }

  /** Asks until the answer can be used; empty if the question is skipped, `undefined` if the setup ends. */
  async #answerTo(name: VariableName): Promise<string | undefined> {
    const text = render(name, this.#outOfScope, CAPS.includes(name) ? this.#capsNeeded() : "");
    for (;;) {
      const typed = await this.#dialogue.ask(text, variable(name).secret === true);
      const answer = typed?.trim();
      if (answer === undefined || (answer === "" && !REQUIRED.includes(name))) return answer;
      const complaint = this.#complaintAbout(name, answer);
      if (!complaint) return answer;
      this.#dialogue.say(`${complaint}\n`);
    }
  }

  #complaintAbout(name: VariableName, answer: string): string | undefined {
    if (holdsLiveKey(answer)) return "This is a live key, which this suite never takes: it was not written.";
    if (answer === "") return `${name} is needed.`;
    if (quote(answer) === undefined) return "The answer uses all three kinds of quotation marks. Try again.";
    const problem = problemOf(name, answer, this.#known);
    return problem && `${problem}. Try again.`;
  }

  /** What a complete run with the answers so far may pay. */
  #capsNeeded(): string {
    const configuration = readConfiguration({ env: this.#env });
    const caps = { MAX_PAYOUTS: "1", MAX_PAYOUT_TOTAL: "1" };
    const target = parseTarget({ ...configuration, variables: { ...configuration.variables, ...caps } });
    return `; a complete run with your answers needs ${capsFor(planOf(readChecklist(), target).needed)}`;
  }

  /** What the env file and the environment set so far. */
  get #known(): Readonly<Record<string, string>> {
    const set = variableNames.flatMap((name) => (this.#env[name] ? [[name, this.#env[name]]] : []));
    return {
      ...Object.fromEntries(set),
      ...(existsSync(this.#path) && parse(readFileSync(this.#path, "utf8"))),
    };
  }

  get #outOfScope(): string[] {
    return (this.#known.OUT_OF_SCOPE ?? "").split(/[\s,]+/).filter(Boolean);
  }
}

function append(path: string, name: string, value: string) {
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  const lineBreak = before === "" || before.endsWith("\n") ? "" : "\n";
  appendFileSync(path, `${lineBreak}${name}=${quote(value) ?? value}\n`, { mode: 0o600 });
}

/** An env file has no escape for a quotation mark. */
function quote(value: string): string | undefined {
  if (/^[\w.:/@,+-]+$/.test(value)) return value;
  const mark = ["'", '"', "`"].find((candidate) => !value.includes(candidate));
  return mark && mark + value + mark;
}

/** Reads the profile, in the form of path that the deployment knows; throws a {@link CommandError} (3) if it fails. */
async function checkKey(target: Target): Promise<string> {
  const client = new Client(target, "setup");
  const { PATH_FORM: form = "auto" } = target.values;
  try {
    const draft = client.builder.build("getProfile");
    const first = form === "auto" ? "prefixed" : form;
    let answer = await client.send("getProfile", draft, "setup", { pathForm: first });
    if (form === "auto" && (answer.status === 404 || answer.status === 405))
      answer = await client.send("getProfile", draft, "setup", { pathForm: "bare" });
    if (answer.isSuccess) return `getProfile ${answer.outcome}: the deployment accepts the key.`;
    const refused = answer.status === 401 || answer.status === 403;
    throw new CommandError(3, [
      `getProfile ${answer.outcome}: check ${refused ? "SECRET_KEY" : "BASE_URL"} in the env file; your answers are kept`,
    ]);
  } finally {
    await client.close();
  }
}
