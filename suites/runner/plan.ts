import { CommandError } from "../../fixtures/config/command-line.ts";
import { isOutOfScope, type Target } from "../../fixtures/config/target.ts";
import { type VariableName, variable, variableNames } from "../../fixtures/config/variables.ts";
import { Builder } from "../../fixtures/http/build.ts";
import { contract, type OperationId, operations } from "../../schemas/contract.ts";
import type { Listed } from "./checklist.ts";

/** The money calls that a conformant target accepts in a run, as far as data and consent allow them. */
export interface Plan {
  readonly count: number;
  readonly total: number;
  /** With probes, and with what a faulty target may carry out although it must not; no run keeps more. */
  readonly most: number;
  readonly byOperation: readonly {
    readonly id: OperationId;
    readonly count: number;
    readonly probes: number;
    readonly amount: number;
  }[];
}

/** What a faulty target may pay of the requests it must refuse; beyond that the rest is left untested. */
const FAULTY_PAYOUTS = 25;

/** Adds up what the selected checks pay; amounts as they are sent, whatever their unit. */
export function planOf(checks: readonly Listed[], target: Target): Plan {
  if (!target.allow.payouts) return { count: 0, total: 0, most: 0, byOperation: [] };
  const builder = new Builder(target, "plan", 0);
  const byOperation = operations.flatMap(({ id, effect }) => {
    const { missing, stake = 0 } = builder.build(id);
    const amount = id === "refundTransaction" ? largestRefund(target) : stake;
    const mine = checks.filter(({ operation }) => operation === id);
    const paying = (probes: boolean) =>
      mine.reduce((sum, { pays, probe = false }) => sum + (probe === probes ? pays : 0), 0);
    // Whatever is checked of a money operation needs its accepted control.
    const isControlled = mine.length === 0 || mine.some((check) => check.id === `${id}/accepted`);
    const control = effect === "money" && amount > 0 && !isControlled ? 1 : 0;
    const count = paying(false) + control;
    const probes = target.allow.probeWrites ? paying(true) : 0;
    return missing.length > 0 || isOutOfScope(target, id) || count + probes === 0
      ? []
      : [{ id, count, probes, amount }];
  });
  return {
    count: byOperation.reduce((sum, { count }) => sum + count, 0),
    total: byOperation.reduce((sum, { count, amount }) => sum + count * amount, 0),
    most: byOperation.reduce(
      (sum, { count, probes }) => sum + count + probes,
      byOperation.length > 0 ? FAULTY_PAYOUTS : 0,
    ),
    byOperation,
  };
}

const largestRefund = ({ values }: Target) =>
  Math.max(0, ...(values.REFUNDABLE_TRANSACTIONS ?? []).map(({ amount }) => amount));

/** Refuses a run whose plan does not fit the caps, before its first money call. */
export function refuseOverPlan({ count, total }: Plan, { values, embedded }: Target) {
  const { MAX_PAYOUTS: most = Infinity, MAX_PAYOUT_TOTAL: highest = Infinity } = values;
  if (embedded || (count <= most && total <= highest)) return;
  throw new CommandError(3, [
    `the plan of ${count} money calls, ${total} in all, exceeds MAX_PAYOUTS=${most} or MAX_PAYOUT_TOTAL=${highest}: raise them, or select fewer checks with --only; nothing was sent`,
  ]);
}

/** What a run would send and what the configuration lacks, on one page. */
export function describePlan(checks: readonly Listed[], target: Target | undefined): string {
  if (!target) {
    return `${checks.length} checks would run against the embedded sandbox; nothing of yours is touched. Set BASE_URL and SECRET_KEY to plan a run on a deployment.`;
  }
  const plan = planOf(checks, target);
  const builder = new Builder(target, "plan", 0);
  const lacking = operations.flatMap(({ id }) => {
    const { missing } = builder.build(id);
    return missing.length > 0 ? [{ id, missing }] : [];
  });
  const unset = variableNames.filter(
    (name) =>
      target.values[name] === undefined &&
      ["keys", "transactions", "transfers", "pages"].includes(variable(name).group),
  );
  return [
    `${checks.length} checks would run against ${target.baseUrl} (${target.environment}).`,
    plan.count > 0
      ? `Money: ${plan.count} calls expected to be accepted, ${plan.total} in all, as sent; at most ${plan.most}, counting probes and what a faulty target may pay of requests that it must refuse, and within the caps.`
      : "Money: none moves (ALLOW_PAYOUTS is not true).",
    ...plan.byOperation.map(({ id, count, amount }) => `  ${count} x ${id}, at most ${amount} each`),
    "",
    ...(lacking.length > 0
      ? [
          "To test these operations fully, ask the deployment's team for:",
          ...lacking.map(({ id, missing }) => `  ${contract[id].method} ${id}: ${missing.join(", ")}`),
          "",
        ]
      : []),
    ...(unset.length > 0
      ? ["Variables that are not set, and what they are for:", ...unset.map(describe)]
      : []),
  ].join("\n");
}

const describe = (name: VariableName) =>
  `  ${name}: ${variable(name).about}, for example ${variable(name).example}`;
