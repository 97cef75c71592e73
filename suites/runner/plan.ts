import { isOutOfScope, type Target } from "../../fixtures/engine/config/target.ts";
import { type Group, sampleOf, variable, variableNames } from "../../fixtures/engine/config/variables.ts";
import { Builder } from "../../fixtures/engine/http/build.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { capsAdvice, moneyLines } from "../../reports/verdicts/money.ts";
import type { Money } from "../../reports/verdicts/verdict.ts";
import { formatAmount, plural } from "../../reports/wording.ts";
import { contract, type OperationId, operations } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { TIMES_ORDINARY } from "../../schemas/values.ts";
import type { Listed } from "./checklist.ts";

/** The money calls that a conformant target accepts in a run, as far as data and consent allow them. */
export interface Plan {
  readonly count: number;
  readonly total: number;
  /** The least of them: some depend on the target, on variables or on each other. */
  readonly least: Sum;
  /** With probes, and with what a faulty target may pay for requests it must reject; no run keeps more. */
  readonly most: number;
  /** The most that may move, within the caps. */
  readonly worst: Sum;
  /** The caps with which no check of a conformant target is left out for what it costs. */
  readonly needed: Sum;
  readonly byOperation: readonly PlannedCalls[];
}

type Sum = Money["planned"];

interface PlannedCalls {
  readonly id: OperationId;
  readonly least: number;
  readonly count: number;
  readonly probes: number;
  /** The amount of one call. */
  readonly amount: number;
}

/** Payouts that a faulty target may make for requests it must reject; after that the rest is not tested. */
const FAULTY_PAYOUTS = 25;

/** Groups of variables that a deployment's team provides. */
const DATA_GROUPS: readonly Group[] = ["keys", "transactions", "transfers", "pages"];

/** Adds up what the selected checks pay; amounts in the currency's unit. */
export function planOf(checks: readonly Listed[], target: Target): Plan {
  const byOperation = target.allow.payouts
    ? operations.flatMap(({ id }) => callsOf(id, checks, target) ?? [])
    : [];
  const sum = (value: (calls: PlannedCalls) => number) =>
    byOperation.reduce((total, calls) => total + value(calls), 0);
  const faulty = byOperation.length > 0 ? FAULTY_PAYOUTS : 0;
  const largest = Math.max(0, ...byOperation.map(({ amount }) => amount * TIMES_ORDINARY));
  const calls = sum(({ count, probes }) => count + probes);
  const most = calls + faulty;
  const { count: countCap, total: totalCap } = capOf(target);
  return {
    count: sum(({ count }) => count),
    total: sum(({ count, amount }) => count * amount),
    least: { count: sum(({ least }) => least), total: sum(({ least, amount }) => least * amount) },
    most,
    worst: {
      count: Math.min(most, countCap ?? most),
      total: Math.min(
        sum(({ count, probes, amount }) => (count + probes) * amount * TIMES_ORDINARY) + faulty * largest,
        totalCap ?? Number.POSITIVE_INFINITY,
      ),
    },
    // One call of each operation may be a large one.
    needed: {
      count: calls,
      total: sum(({ count, probes, amount }) => (count + probes + TIMES_ORDINARY) * amount),
    },
    byOperation,
  };
}

/** The operator's caps. */
export const capOf = ({ values }: Target): Money["limit"] => ({
  count: values.MAX_PAYOUTS ?? null,
  total: values.MAX_PAYOUT_TOTAL ?? null,
});

/** The money calls of one operation; `undefined` if it makes none. */
function callsOf(id: OperationId, checks: readonly Listed[], target: Target): PlannedCalls | undefined {
  const { missing } = new Builder(target, "plan").build(id);
  if (missing.length > 0 || isOutOfScope(target, id)) return undefined;
  const amount = amountOf(id, target);
  const mine = checks.filter(({ operation }) => operation === id);
  const paid = (isProbe: boolean) =>
    mine.reduce((sum, { pays, probe = false }) => sum + (probe === isProbe ? pays.most : 0), 0);
  // Every check of a money operation needs its accepted control.
  const isControlled = mine.length === 0 || mine.some((check) => check.id === `${id}/accepted`);
  const control = contract[id].effect === "money" && amount > 0 && !isControlled ? 1 : 0;
  const count = paid(false) + control;
  const probes = target.allow.probeWrites ? paid(true) : 0;
  const least = mine.reduce((sum, { pays }) => sum + pays.least, control);
  return count + probes > 0 ? { id, least, count, probes, amount } : undefined;
}

/** What one ordinary call moves; of a list of single-use entries, the largest. */
function amountOf(id: OperationId, target: Target): number {
  const { singleUse }: Operation = contract[id];
  if (typeof singleUse !== "object") return new Builder(target, "plan").build(id).stake ?? 0;
  const entries = target.values[singleUse.entryOf as "REFUNDABLE_TRANSACTIONS"] ?? [];
  return Math.max(0, ...entries.map(({ amount }) => amount));
}

/** Refuses a run whose plan exceeds the caps, before its first money call. */
export function refuseOverPlan({ count, total }: Plan, { values, embedded }: Target) {
  const { MAX_PAYOUTS: most = Infinity, MAX_PAYOUT_TOTAL: highest = Infinity } = values;
  if (embedded || (count <= most && total <= highest)) return;
  throw new CommandError(3, [
    `the plan (${plural(count, "payment")}, ${formatAmount(total)} in total) exceeds MAX_PAYOUTS=${most} or MAX_PAYOUT_TOTAL=${highest}: raise them, or select fewer checks with --select. Nothing was sent`,
  ]);
}

/** What a run would send and what the configuration lacks, on one page. */
export function describePlan(checks: readonly Listed[], target: Target | undefined): string {
  if (!target) {
    return `${plural(checks.length, "check")} would run against the embedded sandbox. Set BASE_URL and SECRET_KEY to plan a run against your deployment.`;
  }
  return [
    `${plural(checks.length, "check")} would run against ${target.baseUrl} (${target.environment}).`,
    ...describeMoney(planOf(checks, target), target),
    "",
    ...describeMissing(incomplete(checks, target), target),
  ].join("\n");
}

function describeMoney(plan: Plan, target: Target): string[] {
  const { least, worst, needed, byOperation } = plan;
  if (byOperation.length === 0) {
    return [
      target.allow.payouts
        ? "No money will move: the selected checks, or the variables that are set, allow no payout."
        : "No money will move: ALLOW_PAYOUTS is not true.",
    ];
  }
  return [
    "Money, in the unit of the currency. Expected: from a conformant API that rejects every probe to one that accepts them all. Worst case: a faulty API, which also pays for requests that it must reject.",
    ...moneyLines({ expected: [least, needed], worst, cap: capOf(target) }),
    capsAdvice(needed),
    "Expected, by operation:",
    ...byOperation.map(({ id, least, count, probes, amount }) => {
      const most = count + probes;
      return `  ${least === most ? most : `${least} to ${most}`} x ${id}, ${formatAmount(amount)} each`;
    }),
  ];
}

/** The operations whose ordinary request lacks variables, with the number of selected checks that they have. */
function incomplete(checks: readonly Listed[], target: Target) {
  const builder = new Builder(target, "plan");
  return operations.flatMap(({ id, method }) => {
    const { missing } = builder.build(id);
    const count = checks.filter(({ operation }) => operation === id).length;
    return missing.length > 0 && count > 0 ? [{ id, method, missing, count }] : [];
  });
}

/** What to ask the deployment's team for: by operation, and by variable with what it is for. */
function describeMissing(lacking: ReturnType<typeof incomplete>, target: Target): string[] {
  const adds = (count: number) => (count > 0 ? ` (adds up to ${plural(count, "check")})` : "");
  const byOperation = lacking.map(
    ({ id, method, missing, count }) => `  ${method} ${id}: ${missing.join(", ")}${adds(count)}`,
  );
  const unset = variableNames.filter((name) => {
    const { group, scope } = variable(name);
    const isExcluded = scope !== undefined && target.outOfScope.includes(scope);
    const isWanted = DATA_GROUPS.includes(group) || scope !== undefined;
    return target.values[name] === undefined && isWanted && !isExcluded;
  });
  const byVariable = unset.map((name) => {
    const users = lacking.filter(({ missing }) => missing.includes(name));
    const count = users.reduce((sum, user) => sum + user.count, 0);
    const { about, scope } = variable(name);
    const without = scope === undefined ? "" : ` (without it, name ${scope} in OUT_OF_SCOPE)`;
    return `  ${name}: ${about}, ${sampleOf(name)}${adds(count)}${without}`;
  });
  return [
    ...(byOperation.length > 0
      ? ["To test these operations fully, ask the deployment's team for:", ...byOperation, ""]
      : []),
    ...(byVariable.length > 0 ? ["Variables that are not set, and what they are for:", ...byVariable] : []),
  ];
}
