import { parse } from "node:path";
import { fileURLToPath } from "node:url";
import { isLoopback } from "../../fixtures/engine/config/interlocks.ts";
import { suiteIdentity } from "../../fixtures/engine/config/run-folder.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { variable } from "../../fixtures/engine/config/variables.ts";
import { Client } from "../../fixtures/engine/http/client.ts";
import type { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { CommandError, unknownName } from "../../reports/command-line/command.ts";
import { type Given, wholeNumber } from "../../reports/command-line/define-command.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
import { capsFor } from "../../reports/verdicts/money.ts";
import { plural } from "../../reports/wording.ts";
import type { K6 } from "../generator/binary.ts";
import { readData } from "../inputs/data.ts";
import { readMix } from "../inputs/mix.ts";
import { ArrivalTimes } from "../k6/arrivals.ts";
import { profiles, scale } from "../k6/profiles.ts";
import { MAX_ITERATIONS, Schedule, type Steps, workloads } from "../k6/requests.ts";
import { referencesOfRun } from "../reconcile/listing.ts";
import { type LoadRun, MAX_RUNNERS, Slo } from "../results/result.ts";
import { EVERYTHING, everythingFor } from "./everything.ts";
import type { OPTIONS } from "./help.ts";
import { describeMoney, type MoneyCall, moneyCalls, sumOfCalls } from "./money.ts";
import { type Prepared, prepare } from "./templates.ts";

/** The options of a load; `runners` is absent if this command sends the load itself. */
export type Options = ReturnType<typeof optionsFrom> & { readonly runners?: number };

/** Parses the options of a load; throws a {@link CommandError} (2). */
export function optionsFrom([word]: readonly string[], values: Given<typeof OPTIONS>["values"]) {
  const { mix, out } = values;
  if (word !== undefined && mix !== undefined)
    throw new CommandError(2, [`workload ${word} and --mix ${mix} are both given: keep one of them`]);
  const named: Readonly<Record<string, Steps | undefined>> = { [EVERYTHING]: undefined, ...workloads };
  const workload = mix === undefined ? oneOf("workload", word ?? EVERYTHING, named) : parse(mix).name;
  const name = oneOf("--profile", values.profile, profiles);
  return {
    workload,
    /** Absent for all that the target allows. */
    steps: mix === undefined ? named[workload] : readMix(mix),
    profile: { name, ...profiles[name] },
    out,
    dryRun: values["dry-run"],
  };
}

/** The known name that the command line gives; throws a {@link CommandError} (2) that lists all of them. */
function oneOf<K extends string>(
  what: string,
  given: string | undefined,
  known: Readonly<Record<K, unknown>>,
): K {
  const names = Object.keys(known) as K[];
  const found = names.find((name) => name === given);
  if (found !== undefined) return found;
  const problem =
    given === undefined
      ? `${what} is missing; expected one of ${names.join(", ")}`
      : unknownName(what, given, names);
  throw new CommandError(2, [`${problem}; for example: npm run load -- transfers --profile smoke`]);
}

/** Parses `--runners`; throws a {@link CommandError} (2). */
export function runnersFrom(given: string | undefined): number {
  const runners = wholeNumber("runners", given) ?? 1;
  if (runners >= 1 && runners <= MAX_RUNNERS) return runners;
  throw new CommandError(2, [
    `--runners ${runners}: must be from 1 to ${MAX_RUNNERS}; for example: npm run load -- prepare transfers --profile average --runners 4`,
  ]);
}

type Plan = ReturnType<typeof planOf>;

/** Plans a run; throws a `CommandError` (2) if its length is wrong or a file that the operator names cannot be used. */
export function planOf(options: Options, target: Target) {
  const data = readData(target);
  const { baseUrl, embedded, values } = target;
  const { RATE: rate, DURATION: seconds, TARGET_NAME, TARGET_VERSION: version } = values;
  const { workload, steps: given } = options;
  const { steps, ...chosen } = given ? { steps: given, leftOut: [] } : everythingFor(target);
  const { name, ...shape } = options.profile;
  const profile = { name, ...scale(shape, rate, seconds) };
  const iterations = new ArrivalTimes(profile).count;
  const { minIterations } = new Schedule(steps);
  if (iterations < minIterations)
    throw new CommandError(2, [
      `the run is too short: it has ${plural(iterations, "request")}, and ${workload} needs ${minIterations} to send each of its operations; raise RATE or DURATION`,
    ]);
  if (iterations > MAX_ITERATIONS)
    throw new CommandError(2, [
      `the run is too long: it has ${iterations} requests, and there are references for ${MAX_ITERATIONS}; lower RATE or DURATION`,
    ]);
  const slo = values.SLO ?? (embedded ? SANDBOX_SLO : undefined);
  const run = {
    schema: "payments-conformance/load-run@1" as const,
    suite: suiteIdentity(),
    target: { ...(TARGET_NAME && { name: TARGET_NAME }), ...(version && { version }), baseUrl, embedded },
    workload,
    steps,
    profile,
    iterations,
    ...(options.runners !== undefined && { runners: options.runners }),
    ...(slo && { objectives: readJsonFile("SLO", slo, Slo, "see load/slo/sandbox.json for an example") }),
  };
  return { run, target, data, ...chosen };
}

const SANDBOX_SLO = fileURLToPath(new URL("../slo/sandbox.json", import.meta.url));

/** A run that is allowed, and everything that it takes to send it. */
export interface ReadyRun extends Awaited<ReturnType<typeof requestsOf>> {
  readonly client: Client;
  readonly k6: K6;
  readonly directory: string;
  readonly run: LoadRun;
  readonly redactor: Redactor;
}

const DRAFT = "00000000";

/** Lists the calls that would move money; throws a {@link CommandError} if data are missing (2) or the load is not allowed (3). */
export async function permittedCalls(plan: Plan): Promise<readonly MoneyCall[]> {
  const client = new Client(plan.target, DRAFT);
  const { prepared, calls } = await requestsOf(plan, client).finally(() => client.close());
  const problems = [...misfits(plan, prepared)];
  if (problems.length > 0) throw new CommandError(2, problems);
  const [prohibition] = prohibitions(plan, calls);
  if (prohibition) throw new CommandError(3, [`${prohibition}; nothing was sent`]);
  return calls;
}

/** Makes the requests of a run, and lists all that it may pay, and the part of it that may be sent until the load ends. */
export async function requestsOf({ run, data }: Plan, client: Client) {
  const { steps, iterations } = run;
  const prepared = await prepare(client, steps, data);
  return { prepared, ...moneyCalls(referencesOfRun(client), prepared, iterations) };
}

/** Requests per second that a remote target gets without LOAD_TARGET: hosted sandboxes are not made for load. */
const MAX_RATE_WITHOUT_CONSENT = 20;

function* misfits({ target, run: { workload, profile, runners } }: Plan, prepared: Prepared) {
  if (runners !== undefined && target.embedded)
    yield "prepare needs a deployment that the runners can reach: set BASE_URL and SECRET_KEY. Nothing was sent";
  const operations = new Set(prepared.steps.map(({ operation }) => operation));
  const excluded = [...operations].filter((id) => target.outOfScope.includes(id));
  if (excluded.length > 0)
    yield `OUT_OF_SCOPE excludes ${excluded.join(", ")}, which the workload ${workload} sends: choose another workload`;
  for (const name of prepared.missing) {
    const { about, example } = variable(name);
    yield `${name} is missing, and the workload ${workload} needs it (${about}; for example ${example})`;
  }
  const { RATE_LIMIT: limit } = target.values;
  if (limit !== undefined && profile.rate > limit)
    yield `the load of ${profile.rate} requests/s is above RATE_LIMIT=${limit}: set RATE to ${limit} or less`;
}

function* prohibitions({ target, run }: Plan, calls: readonly MoneyCall[]) {
  const { environment, baseUrl, allow, embedded, values } = target;
  if (environment === "live") yield "ENVIRONMENT=live: load tests never run against a live deployment";
  const { rate } = run.profile;
  const { hostname } = new URL(baseUrl);
  if (!isLoopback(hostname) && rate > MAX_RATE_WITHOUT_CONSENT && values.LOAD_TARGET !== hostname)
    yield `a load of ${rate} requests/s on ${hostname} needs your consent: set LOAD_TARGET=${hostname}, or RATE to ${MAX_RATE_WITHOUT_CONSENT} or less`;
  if (calls.length === 0) return;
  const money = describeMoney(calls);
  if (!allow.payouts)
    yield `the load moves test money (${money}) and needs your consent: set ALLOW_PAYOUTS=true, MAX_PAYOUTS and MAX_PAYOUT_TOTAL`;
  const { MAX_PAYOUTS: maxCount = Infinity, MAX_PAYOUT_TOTAL: maxTotal = Infinity } = values;
  const { count, total } = sumOfCalls(calls);
  if (!embedded && (count > maxCount || total > maxTotal))
    yield `the load moves more than MAX_PAYOUTS=${maxCount} or MAX_PAYOUT_TOTAL=${maxTotal} allows (${money}): this run needs at least ${capsFor({ count, total })}; set these, or lower RATE or DURATION`;
}
