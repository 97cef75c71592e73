import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parse } from "dotenv";
import { readConfiguration, refuseProblems } from "../../fixtures/engine/config/configuration.ts";
import { parseTarget, type Target } from "../../fixtures/engine/config/target.ts";
import { type VariableName, variable, variableNames } from "../../fixtures/engine/config/variables.ts";
import { Client } from "../../fixtures/engine/http/client.ts";
import { outcomeOf } from "../../fixtures/engine/http/wording.ts";
import { CommandError, type Environment } from "../../reports/command-line/command.ts";
import { holdsLiveKey } from "../../reports/command-line/live-keys.ts";
import { capsFor } from "../../reports/verdicts/money.ts";
import { readChecklist } from "../runner/checklist.ts";
import { planOf } from "../runner/plan.ts";
import { costOf, GROUPS, type Group, isOutOfScope, problemOf, type Question, render } from "./questions.ts";

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
  for (const group of GROUPS) {
    if (await askGroup(group, dialogue, path, env)) continue;
    dialogue.say(`\nStopped. ${path} has your answers so far; npm run setup goes on from there.\n`);
    return 130;
  }
  const configuration = readConfiguration({ env });
  refuseProblems(configuration, []);
  dialogue.say(`\n${path} is written. Checking the key with one read ...\n`);
  dialogue.say(`${await checkKey(parseTarget(configuration))}\n${NEXT}\n`);
  return 0;
}

/** Asks the questions of a group that have no answer yet, unless one answer skips them; returns whether to go on. */
async function askGroup(
  { title, questions }: Group,
  dialogue: Dialogue,
  path: string,
  env: Environment,
): Promise<boolean> {
  const known = knownIn(path, env);
  const open = questions.filter(({ name }) => isOpen(name, known));
  if (title && open.length > 1) {
    const names = open.map(({ name }) => name);
    const cost = costOf(names, outOfScopeIn(known));
    const typed = await dialogue.ask(
      `\n${title}: ${names.join(", ")}\n  (Press Enter to answer these ${names.length} questions, or type n to skip them, which leaves ${cost} untested.)\n> `,
      false,
    );
    if (typed === undefined) return false;
    if (/^n/i.test(typed.trim())) return true;
  }
  for (const question of open) {
    const known = knownIn(path, env);
    if (question.onlyIf && known[question.onlyIf] !== "true") continue;
    const text = render(question, outOfScopeIn(known), question.onlyIf && capsNeeded(env));
    const answer = await answerTo(question, text, dialogue, known);
    if (answer === undefined) return false;
    if (answer !== "") append(path, question.name, answer);
  }
  return true;
}

type Known = Readonly<Record<string, string>>;

/** What the env file and the environment set so far. */
const knownIn = (path: string, env: Environment): Known => ({
  ...Object.fromEntries(variableNames.flatMap((name) => (env[name] ? [[name, env[name]]] : []))),
  ...valuesIn(path),
});

const outOfScopeIn = ({ OUT_OF_SCOPE = "" }: Known) => OUT_OF_SCOPE.split(/[\s,]+/).filter(Boolean);

const isOpen = (name: VariableName, known: Known) =>
  known[name] === undefined && !isOutOfScope(name, outOfScopeIn(known));

/** What a complete run with the answers so far may pay. */
function capsNeeded(env: Environment): string {
  const configuration = readConfiguration({ env });
  const caps = { MAX_PAYOUTS: "1", MAX_PAYOUT_TOTAL: "1" };
  const target = parseTarget({ ...configuration, variables: { ...configuration.variables, ...caps } });
  return `; a complete run with your answers needs ${capsFor(planOf(readChecklist(), target).needed)}`;
}

/** Asks until the answer can be used; empty if the question is skipped. */
async function answerTo(
  question: Question,
  text: string,
  dialogue: Dialogue,
  known: Known,
): Promise<string | undefined> {
  for (;;) {
    const typed = await dialogue.ask(text, variable(question.name).secret === true);
    if (typed === undefined) return undefined;
    const answer = typed.trim();
    if (answer === "" && !question.required) return "";
    if (holdsLiveKey(answer))
      dialogue.say("This is a live key, which this suite never takes: it was not written.\n");
    else if (answer === "") dialogue.say(`${question.name} is needed.\n`);
    else {
      const problem = problemOf(question, answer, known) ?? unquotable(answer);
      if (!problem) return answer;
      dialogue.say(`${problem}. Try again.\n`);
    }
  }
}

const valuesIn = (path: string) => (existsSync(path) ? parse(readFileSync(path, "utf8")) : {});

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

const unquotable = (value: string) =>
  quote(value) === undefined ? "the answer uses all three kinds of quotation marks" : undefined;

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
    if (answer.isSuccess) return `getProfile ${outcomeOf(answer)}: the deployment accepts the key.`;
    const refused = answer.status === 401 || answer.status === 403;
    throw new CommandError(3, [
      `getProfile ${outcomeOf(answer)}: check ${refused ? "SECRET_KEY" : "BASE_URL"} in the env file; your answers are kept`,
    ]);
  } finally {
    await client.close();
  }
}
