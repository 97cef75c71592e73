import { randomInt } from "node:crypto";
import { reach } from "../../fixtures/embedded.ts";
import {
  type Configuration,
  readConfiguration,
  refuseProblems,
} from "../../fixtures/engine/config/configuration.ts";
import { isReadable } from "../../fixtures/engine/config/env-file.ts";
import { makeRunFolder } from "../../fixtures/engine/config/run-folder.ts";
import { parseTarget, type Target } from "../../fixtures/engine/config/target.ts";
import { ExchangeFiles } from "../../fixtures/engine/evidence/exchanges.ts";
import { prepareLedger } from "../../fixtures/engine/ledger/ledger-file.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { preflight } from "../../fixtures/engine/run/preflight.ts";
import { type Command, CommandError, type Invocation } from "../../reports/command-line/command.ts";
import {
  defineCommand,
  FLAG,
  type Given,
  printProblems,
  wholeNumber,
} from "../../reports/command-line/define-command.ts";
import { openEvents } from "../../reports/events/events.ts";
import type { Baseline } from "../../reports/verdicts/baseline.ts";
import type { Command as CommandName } from "../../reports/verdicts/outcome.ts";
import { readBaseline } from "../../reports/verdicts/run.ts";
import { readWaivers, refuseUnusable, type Waiver } from "../../reports/verdicts/waivers.ts";
import { type Listed, readChecklist, select } from "./checklist.ts";
import { describePlan, planOf, refuseOverPlan } from "./plan.ts";
import { type Ended, runSuite, writeRefusal } from "./suite-run.ts";

/** The options of `certify` and `gate`. */
const OPTIONS = {
  out: { type: "string", default: "reports/out", about: "folder for the runs (default reports/out)" },
  select: {
    type: "string",
    short: "s",
    multiple: true,
    about: "run only these checks: an operation, a check, or a pattern like 'createTransfer/*'",
  },
  list: { ...FLAG, about: "list the checks; sends nothing" },
  "dry-run": { ...FLAG, about: "show what would be sent and what the configuration lacks; sends nothing" },
  seed: { type: "string", about: "seed of the generated data, a whole number (default: random)" },
  strict: { ...FLAG, about: "gate: exit with 4 for every MUST check that is not decided" },
  letter: {
    ...FLAG,
    about: "judge by the letter of the specification alone: critical findings only warn",
  },
  "probe-writes": { ...FLAG, about: "also send probes that may leave further records behind" },
  "max-minutes": { type: "string", about: "start no more checks after this many minutes" },
  baseline: {
    type: "string",
    about: "gate: fail only for what is worse than in this verdicts.json of an earlier run",
  },
  sandbox: { ...FLAG, about: "test the embedded sandbox" },
} as const;

const EXIT_CODES = {
  0: "conformant",
  1: "not conformant, or not fit for release",
  2: "usage or configuration error",
  3: "preflight failed or run refused",
  4: "not fully verified",
  5: "stale waiver",
  70: "defect of this suite",
  130: "interrupted",
};

const CERTIFY =
  "Tests the deployment that .env describes, or the embedded sandbox if no deployment is configured.";

/** Tests a deployment, or the embedded sandbox if none is configured. */
export const certify: Command = launcher("certify", CERTIFY);

/** As {@link certify}; returns also what the reports of the run are made from. */
export async function certified(invocation: Invocation): Promise<Ended> {
  let ended: Ended | undefined;
  const exitCode = await launcher("certify", CERTIFY, (one) => {
    ended = one;
  })(invocation);
  return { ...ended, exitCode };
}

/** Tests a deployment, and says by its exit code whether it may be released. */
export const gate: Command = launcher(
  "gate",
  "Tests a deployment and says by its exit code whether it may be released. Needs BASE_URL or --sandbox.",
);

function launcher(name: CommandName, about: string, onEnd: (ended: Ended) => void = () => {}): Command {
  return defineCommand({
    name,
    about,
    unnamed: "select",
    options: OPTIONS,
    tables: { "Exit codes": EXIT_CODES },
    run: async (given) => {
      const options = optionsOf(name, given);
      const checks = select(readChecklist(), options.select);
      if (options.list) return listing(checks);
      const ended = await judge(name, options, checks, given);
      if (typeof ended === "string") return ended;
      onEnd(ended);
      return ended.exitCode;
    },
  });
}

/** The options of `certify` and `gate`, parsed. */
export type Options = ReturnType<typeof optionsOf>;

/** Parses the values of the options; throws a {@link CommandError} (2). */
function optionsOf(command: CommandName, { values }: Given<typeof OPTIONS>) {
  return {
    ...values,
    select: values.select ?? [],
    dryRun: values["dry-run"],
    probeWrites: values["probe-writes"],
    seed: wholeNumber("seed", values.seed) ?? randomInt(1_000_000),
    maxMinutes: minutes(values["max-minutes"]),
    baseline: baselineOf(command, values.baseline),
  };
}

/** The earlier run to compare with, read before anything is sent. */
function baselineOf(command: CommandName, path: string | undefined): Baseline | undefined {
  if (path === undefined) return undefined;
  if (command === "gate") return readBaseline(path);
  throw new CommandError(2, [
    `--baseline belongs to gate, because a certificate accepts no known failure: npm run gate -- --baseline ${path}`,
  ]);
}

/** A day; a timer counts no more than 24 of them. */
const MOST_MINUTES = 1440;

function minutes(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!(Number(value) > 0 && Number(value) <= MOST_MINUTES))
    throw new CommandError(2, [
      `--max-minutes ${value}: must be a number greater than 0, and at most ${MOST_MINUTES}`,
    ]);
  return Number(value);
}

async function judge(
  command: CommandName,
  options: Options,
  checks: readonly Listed[],
  invocation: Given<typeof OPTIONS>,
): Promise<Ended | string> {
  const configuration = readConfiguration({ env: invocation.env, sandbox: options.sandbox });
  const { waivers, problems } = readWaiverFile(configuration);
  refuseProblems(configuration, [...guess(command, options, configuration), ...problems]);
  if (options.dryRun) {
    // The embedded sandbox brings its own data, so there is nothing to parse yet.
    const target = configuration.embedded ? undefined : withConsent(parseTarget(configuration), options);
    refuseWaivers(waivers, checks, configuration);
    return describePlan(checks, target);
  }
  const reached = await reach(configuration, options.seed);
  try {
    const target = withConsent(reached.target, options);
    prepareLedger(target);
    const { runId, path: directory } = makeRunFolder(options.out, "latest");
    const inScope =
      target.environment === "live" ? checks.filter(({ basis }) => basis === "mandate") : checks;
    const plan = planOf(inScope, target);
    const { ignored = [] } = configuration;
    const run = {
      command,
      invocation,
      options,
      target,
      ignored,
      runId,
      directory,
      events: openEvents(directory),
      checks: inScope,
      plan,
      waivers,
    };
    try {
      refuseOverPlan(plan, target);
      refuseWaivers(waivers, inScope, configuration);
      const exchanges = new ExchangeFiles(directory, new Redactor(target.secrets));
      const found = await preflight(target, runId, (response) => exchanges.write(response));
      return await runSuite(run, found);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      printProblems(error, invocation.stderr);
      return await writeRefusal(run, error);
    }
  } finally {
    await reached.close();
  }
}

/** `gate` decides about releases, so it only tests the embedded sandbox if it is asked to; else this is a problem. */
function guess(command: CommandName, { sandbox }: Options, { embedded }: Configuration): string[] {
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
