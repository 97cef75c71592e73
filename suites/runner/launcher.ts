import { reach } from "../../fixtures/embedded.ts";
import {
  type Configuration,
  readConfiguration,
  refuseProblems,
} from "../../fixtures/engine/config/configuration.ts";
import { isReadable } from "../../fixtures/engine/config/env-file.ts";
import { suiteIdentity } from "../../fixtures/engine/config/run-folder.ts";
import { parseTarget, type Target } from "../../fixtures/engine/config/target.ts";
import { ExchangeFiles } from "../../fixtures/engine/evidence/exchange-files.ts";
import { prepareLedger } from "../../fixtures/engine/ledger/ledger-file.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { preflight } from "../../fixtures/engine/run/preflight.ts";
import { CommandError, print, printProblems } from "../../reports/command-line/command.ts";
import type { Command } from "../../reports/verdicts/outcome.ts";
import { readWaivers, refuseUnusable, type Waiver } from "../../reports/verdicts/waivers.ts";
import { type Listed, readChecklist, select } from "./checklist.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { describePlan, planOf, refuseOverPlan } from "./plan.ts";
import { openRun } from "./run-folder.ts";
import { writeRefusal } from "./run-start.ts";

/** Runs `npm run certify` or `npm run gate`; prints the result and returns the exit code. */
export async function certify(command: Command): Promise<number> {
  const options = readOptions(command);
  if (options.help) return print(usage(command));
  if (options.version) return print(suiteIdentity().version);
  const checks = select(readChecklist(), options.select);
  if (options.list) return print(listing(checks));
  return await judge(command, options, checks);
}

async function judge(command: Command, options: Options, checks: readonly Listed[]): Promise<number> {
  const configuration = readConfiguration({ sandbox: options.sandbox });
  const { waivers, problems } = readWaiverFile(configuration);
  refuseProblems(configuration, [...guess(command, options, configuration), ...problems]);
  if (options.dryRun) {
    // The embedded sandbox brings its own data, so there is nothing to parse yet.
    const target = configuration.embedded ? undefined : withConsent(parseTarget(configuration), options);
    refuseWaivers(waivers, checks, configuration);
    return print(describePlan(checks, target));
  }
  const reached = await reach(configuration, options.seed);
  try {
    const target = withConsent(reached.target, options);
    prepareLedger(target);
    const folder = openRun(options.out);
    const inScope =
      target.environment === "live" ? checks.filter(({ basis }) => basis === "mandate") : checks;
    const plan = planOf(inScope, target);
    const { ignored = [] } = configuration;
    const run = { command, options, target, ignored, folder, checks: inScope, plan, waivers };
    try {
      refuseOverPlan(plan, target);
      refuseWaivers(waivers, inScope, configuration);
      // vitest is loaded while the preflight waits for responses.
      const exchanges = new ExchangeFiles(folder.path, new Redactor(target.secrets));
      const [found, { runSuite }] = await Promise.all([
        preflight(target, folder.runId, (answer) => exchanges.fileOf(answer)),
        import("./run-suite.ts"),
      ]);
      return await runSuite({ ...run, found });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      printProblems(error);
      return await writeRefusal(run, error);
    }
  } finally {
    await reached.close();
  }
}

/** `gate` decides about releases, so it only tests the embedded sandbox if it is asked to; else this is a problem. */
function guess(command: Command, { sandbox }: Options, { embedded }: Configuration): string[] {
  return command === "gate" && embedded && !sandbox
    ? [
        "BASE_URL is not set: npm run gate tests a deployment. Set BASE_URL and SECRET_KEY, or try it with npm run gate -- --sandbox",
      ]
    : [];
}

/** Reads the waivers; a problem with the file is listed with all others. */
function readWaiverFile({ variables: { WAIVERS: path } }: Configuration) {
  // The configuration reports a file that cannot be read.
  if (!path || !isReadable(path)) return { waivers: [], problems: [] };
  try {
    return { waivers: readWaivers(path), problems: [] };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { waivers: [], problems: error.problems };
  }
}

function refuseWaivers(
  waivers: readonly Waiver[],
  selected: readonly Listed[],
  { variables }: Configuration,
) {
  const ids = (checks: readonly Listed[]) => new Set(checks.map(({ id }) => id));
  const maxDays = Number(variables.MAX_WAIVER_DAYS ?? DEFAULT_WAIVER_DAYS);
  refuseUnusable(waivers, ids(readChecklist()), ids(selected), { now: new Date(), maxDays });
}

const DEFAULT_WAIVER_DAYS = 90;

const withConsent = (target: Target, { probeWrites }: Options): Target =>
  probeWrites ? { ...target, allow: { ...target.allow, probeWrites: true } } : target;

const listing = (checks: readonly Listed[]) =>
  checks.map(({ id, level, title }) => `${id}  ${level}  ${title}`).join("\n");
