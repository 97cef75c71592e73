import { CLIENTS, clientOf } from "./client.ts";
import { ordinaryRequest } from "./generated/ordinary.ts";
import { requestRow } from "./generated/requests.ts";
import { type Environment, Filler, type Ordinary } from "./ordinary.ts";
import type { SendableStep, Settings } from "./settings.ts";
import { referenceForms } from "./templates/reference.ts";
import { REFERENCE } from "./templates/template.ts";
import { createsTransfer } from "./traffic/creations.ts";
import { iterationsOf } from "./traffic/executor.ts";
import { ARRIVALS, profileNames, profiles, scale, secondsOf } from "./traffic/profiles.ts";
import { Schedule } from "./traffic/schedule.ts";
import { type Step, workloadNames, workloads } from "./traffic/workloads.ts";

const PREFIX = "/api/user-service/external/v1";
const TEST_KEY = /^sk_test_\S+$/;
/** Also parts of harmless names: without the launcher, ALLOW_HOSTS is the only other judge. */
const LIVE_HOST = /live|prod/i;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
/** Requests per second that a remote target gets without LOAD_TARGET. */
const MAX_RATE = 20;

/** A step and the amount that one request of it moves. */
interface StandaloneStep extends SendableStep {
  readonly stake: number | undefined;
}

type Steps = readonly [StandaloneStep, ...StandaloneStep[]];

/** What a run without the launcher can know of money: there is no ledger, so earlier runs are unknown. */
interface Money {
  readonly count: number;
  readonly total: number;
}

/**
 * The settings of a run that `k6 run` starts by itself, from the variables that `.env.example` describes. Throws an error
 * that names every problem, before anything is sent.
 */
export function standaloneSettings(
  environment: Environment,
  runId: string,
  holdsLiveKey: (text: string) => boolean,
): Settings {
  const problems: string[] = [];
  const { BASE_URL = "", SECRET_KEY = "" } = environment;
  for (const name of Object.keys(environment))
    if (holdsLiveKey(environment[name] ?? "")) problems.push(`${name} holds a live key: use a test key`);
  if (!TEST_KEY.test(SECRET_KEY))
    problems.push("SECRET_KEY must be a secret test key: -e SECRET_KEY=sk_test_...");
  const host = hostOf(BASE_URL);
  if (host === undefined)
    problems.push("BASE_URL must be an address: -e BASE_URL=https://sandbox.example.com");

  const workload = chosen("WORKLOAD", environment, workloadNames, problems);
  const name = chosen("PROFILE", environment, profileNames, problems);
  const arrivals = chosen("ARRIVALS", { ARRIVALS: "constant", ...environment }, ARRIVALS, problems);
  const clientName = chosen("CLIENT", { CLIENT: "patient", ...environment }, CLIENTS, problems);
  const form = chosen(
    "REFERENCE_FORM",
    { REFERENCE_FORM: "plain", ...environment },
    referenceForms,
    problems,
  );
  const timeoutMs = positive("REQUEST_TIMEOUT_MS", environment, problems) ?? 10_000;
  const rate = positive("RATE", environment, problems);
  const seconds = lengthOf(environment, problems);
  problems.push(...wrongNumbers(environment));
  if (!workload || !name || !arrivals || !clientName || !form || host === undefined || problems.length > 0)
    throw refusal(problems);

  const profile = {
    name,
    ...scale(profiles[name], rate, seconds),
    ...(environment.ARRIVALS && { arrivals }),
  };
  const filler = new Filler(environment);
  const [first, ...others] = workloads[workload];
  const steps: Steps = [
    sendable(first, environment, filler),
    ...others.map((step) => sendable(step, environment, filler)),
  ];
  for (const variable of filler.missing) problems.push(`${variable} is missing: -e ${variable}=...`);
  const client = clientOf(clientName, timeoutMs);
  const money = moneyOf(steps, iterationsOf(profile), client.resends);
  problems.push(
    ...unconfirmedCard(host, steps, environment),
    ...prohibitions(host, profile.rate, money, environment),
  );
  if (problems.length > 0) throw refusal(problems);
  return {
    workload,
    steps,
    profile,
    runId,
    referenceForm: form,
    client,
    objectives: {},
    metrics: true,
    standalone: { keepsAnswers: environment.ANSWERS === "true" },
  };
}

/** What such a run says before its start and after its end. */
export function noticeOf({ runId, workload, steps, profile, standalone }: Settings): string {
  if (!steps.some(createsTransfer))
    return `run ${runId} sends no transfers, so there is nothing to reconcile`;
  const answers = standalone?.keepsAnswers ? " --answers <the file of --console-output>" : "";
  const command = `npm run load -- reconcile ${runId} ${workload} --iterations ${iterationsOf(profile)}${answers}`;
  return `run ${runId}: k6 does not reconcile money, and no ledger bounds it. To look up what this run paid: ${command}`;
}

const refusal = (problems: readonly string[]) =>
  new Error(`nothing was sent:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);

/** The host name of an address without user and password; `undefined` for anything else. */
const hostOf = (url: string) => /^https?:\/\/(\[[\da-f:]+\]|[\w.-]+)(:\d+)?(\/[^?#@]*)?$/i.exec(url)?.[1];

function chosen<N extends string>(
  variable: string,
  environment: Environment,
  names: readonly N[],
  problems: string[],
): N | undefined {
  const given = environment[variable];
  const name = names.find((one) => one === given);
  if (name === undefined)
    problems.push(
      `${given ? `unknown ${variable}: ${given}` : `${variable} is missing`}; expected one of ${names.join(", ")}`,
    );
  return name;
}

function positive(variable: string, environment: Environment, problems: string[]): number | undefined {
  const text = environment[variable];
  if (text === undefined) return undefined;
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) <= 0) problems.push(`${variable} must be a number above 0`);
  return Number(text);
}

function lengthOf({ DURATION }: Environment, problems: string[]): number | undefined {
  const seconds = DURATION === undefined ? undefined : secondsOf(DURATION);
  if (DURATION !== undefined && !seconds) problems.push("DURATION must be a duration like 30s, 2m, 1h");
  return seconds;
}

function* wrongNumbers({ LIST_LIMIT = "", SUBUNITS_PER_UNIT = "" }: Environment) {
  if (!/^([1-9]\d{0,3})?$/.test(LIST_LIMIT))
    yield "LIST_LIMIT must be a whole number above 0, of at most four digits";
  if (!/^([1-9]\d{0,2}|1000)?$/.test(SUBUNITS_PER_UNIT))
    yield "SUBUNITS_PER_UNIT must be a whole number from 1 to 1000";
}

/** A step with its request, from the same recipe as the launcher's. */
function sendable(step: Step, environment: Environment, filler: Filler): StandaloneStep {
  const recipe = ordinaryRequest(step.operation);
  const changes = recipe?.refusals[step.refusal ?? ""] ?? {};
  const looksUp = step.operation === "listTransfers" && step.creationsAgo !== undefined;
  const { LIST_LIMIT } = environment;
  const query = {
    ...recipe?.query,
    ...(LIST_LIMIT && recipe?.query && "limit" in recipe.query && { limit: Number(LIST_LIMIT) }),
    ...(looksUp && { transferReference: { new: "reference" } }),
  };
  const parts = recipe?.body?.map((part) => filler.members(part));
  const body = parts && withoutNull(Object.assign({}, ...parts, filler.members(changes.body ?? {})));
  const { BASE_URL = "", SECRET_KEY, PATH_FORM, EXTRA_HEADERS = "{}" } = environment;
  const base = BASE_URL.replace(/\/+$/, "") + (PATH_FORM === "prefixed" ? PREFIX : "");
  const parameters = Object.entries(withoutNull(filler.members({ ...query, ...changes.query })))
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
    .join("&")
    .split(encodeURIComponent(REFERENCE))
    .join(REFERENCE);
  const movesMoney = requestRow(step.operation).effect === "money" && step.refusal === undefined;
  return {
    ...step,
    template: {
      url: base + (recipe?.route ?? "") + (parameters && `?${parameters}`),
      headers: {
        Accept: "application/json",
        ...(JSON.parse(EXTRA_HEADERS) as Record<string, string>),
        Authorization: `Bearer ${SECRET_KEY}`,
        ...(body && { "Content-Type": "application/json" }),
      },
      body: body ? JSON.stringify(body) : null,
    },
    stake: movesMoney ? Number(body?.amount) / divisorOf(recipe, environment) : undefined,
  };
}

/** What turns the amount of a body into the currency's unit. */
const divisorOf = (recipe: Ordinary | undefined, { SUBUNITS_PER_UNIT }: Environment) =>
  recipe?.inSubunits ? Number(SUBUNITS_PER_UNIT || 100) : 1;

/** A `null` marks what a documented rejection leaves out. */
const withoutNull = (members: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

/** What a run moves at most, the transfer that precedes it included. */
function moneyOf(steps: Steps, iterations: number, resends: number): Money {
  const paying = new Schedule(steps).requestsIn(iterations, ({ stake }) => stake !== undefined);
  const control = steps.find(createsTransfer)?.stake;
  let [count, total] = control === undefined ? [0, 0] : [1, control];
  for (const [operation, requests] of Object.entries(paying)) {
    const { stake = 0 } =
      steps.find((step) => step.operation === operation && step.stake !== undefined) ?? {};
    count += requests * (resends + 1);
    total += stake * requests * (resends + 1);
  }
  return { count, total };
}

function* prohibitions(host: string, rate: number, money: Money, environment: Environment) {
  const { ENVIRONMENT, ALLOW_HOSTS = "", LOAD_TARGET, ALLOW_PAYOUTS } = environment;
  const isHere = LOOPBACK.test(host);
  if (ENVIRONMENT === "live") yield "ENVIRONMENT=live: load tests never run against a live deployment";
  if (LIVE_HOST.test(host) && !ALLOW_HOSTS.split(",").includes(host))
    yield `${host} looks like a live host: set ALLOW_HOSTS=${host} to confirm that it is a test host`;
  if (!isHere && rate > MAX_RATE && LOAD_TARGET !== host)
    yield `a load of ${rate} requests/s on ${host} needs your consent: set LOAD_TARGET=${host}, or RATE to ${MAX_RATE} or less`;
  if (money.count === 0) return;
  const sum = `${money.count} calls, ${money.total.toFixed(2)} in total`;
  if (!isHere && ALLOW_PAYOUTS !== "true")
    yield `the load moves test money (${sum}) and needs your consent: set ALLOW_PAYOUTS=true, MAX_PAYOUTS and MAX_PAYOUT_TOTAL`;
  for (const [variable, planned] of [
    ["MAX_PAYOUTS", money.count],
    ["MAX_PAYOUT_TOTAL", money.total],
  ] as const) {
    const cap = environment[variable];
    if (cap === undefined ? !isHere : !(planned <= Number(cap)))
      yield `the load moves more than ${variable}=${cap ?? 0} allows (${sum}): raise it, or lower RATE or DURATION`;
  }
}

/** The launcher knows the published test cards; here the operator confirms any card. */
function* unconfirmedCard(host: string, steps: Steps, { CARD_NUMBER = "", CARD_IS_TEST }: Environment) {
  const usesCard = steps.some(({ operation }) => operation === "createCardTransaction");
  if (usesCard && !LOOPBACK.test(host) && CARD_IS_TEST !== CARD_NUMBER.replace(/\D/g, "").slice(-4))
    yield "set CARD_IS_TEST=<the last four digits of CARD_NUMBER> to confirm that it is not a real card";
}
