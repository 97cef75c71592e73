import { suiteIdentity } from "../../fixtures/engine/config/run-folder.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { showSearched } from "../../fixtures/engine/redaction/show-searched.ts";
import type { Preflight } from "../../fixtures/engine/run/preflight.ts";
import { writeArtifacts } from "../../reports/artifacts.ts";
import { forJobLog } from "../../reports/ci/github.ts";
import { renderSummary } from "../../reports/ci/summary.ts";
import type { CommandError, Environment, Invocation } from "../../reports/command-line/command.ts";
import type { EventLog } from "../../reports/events/events.ts";
import type { Command } from "../../reports/verdicts/outcome.ts";
import { DEFAULT_VALID_DAYS, type KeySource, type Verdicts } from "../../reports/verdicts/run.ts";
import type { Waiver } from "../../reports/verdicts/waivers.ts";
import type { Options } from "./certify.ts";
import { type Listed, readChecklist } from "./checklist.ts";
import type { Plan } from "./plan.ts";

/** A run that nothing has refused so far. */
export interface SuiteRun {
  readonly command: Command;
  readonly invocation: Invocation;
  readonly options: Options;
  readonly target: Target;
  /** The env file or variables of a deployment that `--sandbox` overrides. */
  readonly ignored: readonly string[];
  readonly found: Preflight;
  readonly runId: string;
  /** The folder of the run. */
  readonly path: string;
  /** The log in that folder. */
  readonly events: EventLog;
  readonly checks: readonly Listed[];
  readonly plan: Plan;
  readonly waivers: readonly Waiver[];
}

/** Records what is known before the first check of a run. */
export function recordStart(run: SuiteRun) {
  const { command, invocation, options, target, checks, waivers } = run;
  const { argv } = invocation;
  const registered = readChecklist().map(({ id }) => id);
  run.events.append({
    type: "run",
    suite: suiteIdentity(),
    target: describeTarget(run),
    startedAt: new Date().toISOString(),
    seed: options.seed,
    command,
    commandLine: ["npm run", command, ...(argv.length > 0 ? ["--", ...argv] : [])].join(" "),
    keySource: keySourceOf(target, invocation.env),
    strict: options.strict,
    hardened: options.hardened,
    selected: options.select.length > 0 && checks.length < registered.length,
    outOfScope: [...target.outOfScope],
    registered,
    waivers: [...waivers],
    ...(options.baseline && { baseline: options.baseline }),
    validDays: target.values.VALID_DAYS ?? DEFAULT_VALID_DAYS,
  });
}

/**
 * Writes the reports of a run that was refused before its first check, so that `latest` is not an older run; returns the
 * exit code.
 */
export async function writeRefusal(run: Omit<SuiteRun, "found">, refusal: CommandError): Promise<number> {
  const { events, path, invocation } = run;
  recordStart({ ...run, found: { pathForms: NO_FORMS, bothForms: [] } });
  const kind = refusal.exitCode === 5 ? "waiver" : "refused";
  for (const text of refusal.problems) events.append({ type: "problem", kind, text });
  events.append({ type: "end", finishedAt: new Date().toISOString() });
  events.close();
  const file = await writeArtifacts(path);
  return showSearched(
    {
      directory: path,
      exitCode: refusal.exitCode,
      render: () => forJobLog("", file, invocation.env),
      summary: renderSummary(file),
    },
    new Redactor(run.target.secrets),
    invocation,
  );
}

function keySourceOf({ embedded, values }: Target, env: Environment): KeySource {
  if (embedded) return { from: "sandbox" };
  if (values.SECRET_KEY_FILE) return { from: "key-file", path: values.SECRET_KEY_FILE };
  if (env.SECRET_KEY !== undefined) return { from: "environment" };
  return { from: "env-file", path: env.ENV_FILE || ".env" };
}

/** The path forms of a target are unknown before its preflight. */
const NO_FORMS = {} as Preflight["pathForms"];

/** The target, for the reports. */
export function describeTarget({ target, found }: SuiteRun): Verdicts["target"] {
  const { TARGET_NAME: name, TARGET_VERSION: version } = target.values;
  return {
    ...(name && { name }),
    ...(version && { version }),
    baseUrl: target.baseUrl,
    environment: target.environment,
    embedded: target.embedded,
    pathForms: found.pathForms,
  };
}
