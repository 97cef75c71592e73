import { describe, expect, it, onTestFinished } from "vitest";
import { Client } from "../../fixtures/engine/http/client.ts";
import { exampleTarget } from "../../fixtures/testing/example-target.ts";
import {
  fillerOf,
  type Pools,
  referencesOf,
  Schedule,
  type Steps,
  type WorkloadName,
  workloads,
} from "../k6/requests.ts";
import { everythingFor } from "./everything.ts";
import { moneyCalls, sumOfCalls } from "./money.ts";
import { prepare } from "./templates.ts";

const ITERATIONS = 2000;

const PAYEES = Array.from({ length: 40 }, (_, index) => ({
  bankCode: `${index}`,
  accountNumber: `${1_000_000 + index}`,
  accountName: `Name ${index}`,
  amount: 10 + index,
}));
const CUSTOMERS = [1, 2, 3, 4, 5].map((customerId) => ({ customerId }));

const VARIABLES = {
  CUSTOMER_ID: "1001",
  PLAN_ID: "2001",
  QR_CHANNEL: "QR",
  MCH_NO: "M1",
  SUB_MCH_NO: "S1",
  BANK_CODE: "058",
  ACCOUNT_NUMBER: "0123456789",
  ACCOUNT_NAME: "Test Beneficiary",
  EMAIL_ADDRESS: "qa@example.com",
  TRANSFER_AMOUNT: "100",
};

/** What k6 sends in each iteration of a workload, and what the suite knows about it. */
async function planned(
  workload: WorkloadName | Steps,
  change: Readonly<Record<string, string>> = {},
  data: Pools = {},
) {
  const steps = typeof workload === "string" ? workloads[workload] : workload;
  const client = new Client(exampleTarget({ ...VARIABLES, ...change }), "0123abcd");
  onTestFinished(() => client.close());
  const prepared = await prepare(client, steps, data);
  const schedule = new Schedule(prepared.steps);
  const references = referencesOf("0123abcd");
  const sent = Array.from({ length: ITERATIONS }, (_, iteration) => {
    const { step, origin } = schedule.requestAt(iteration);
    const records = step.refusal ? [] : prepared.pools[step.operation];
    const { body } = fillerOf(step.template, records)(references.at(origin), origin);
    return {
      operation: step.operation,
      refusal: step.refusal,
      body: JSON.parse(body ?? "{}") as Record<string, unknown>,
    };
  });
  const { calls } = moneyCalls(references, prepared, ITERATIONS);
  const bodiesOf = (id: string) => sent.filter(({ operation }) => operation === id).map(({ body }) => body);
  return { prepared, sent, bodiesOf, calls };
}

type Bodies = readonly Record<string, unknown>[];

const different = (bodies: Bodies, field: string) => new Set(bodies.map((body) => body[field])).size;

/** The sum of the amounts in bodies, and of the requests before and after the load, which have those of `.env`. */
const totalOf = (bodies: Bodies, around: number) =>
  bodies.reduce((sum, { amount }) => sum + Number(amount), 2 * around);

describe("prepare", () => {
  it("varies the addresses of the operator's own beneficiary", async () => {
    const { bodiesOf, calls } = await planned("transfers");
    const transfers = bodiesOf("createTransfer");

    expect(different(transfers, "emailAddress")).toBeGreaterThan(750);
    expect([different(transfers, "amount"), different(transfers, "accountNumber")]).toEqual([1, 1]);
    expect(sumOfCalls(calls)).toEqual({ count: transfers.length + 2, total: totalOf(transfers, 100) });
  });

  it("counts virtual accounts, whose amounts are in the subunit, in the unit of the currency", async () => {
    const { bodiesOf, calls } = await planned("dva", { SUBUNITS_PER_UNIT: "1000" });

    const total = totalOf(bodiesOf("initializeVirtualAccount"), 100_000);
    expect(sumOfCalls(calls).total).toBeCloseTo(total / 1000, 2);
  });

  it("repeats a transfer as it was, address included", async () => {
    const { bodiesOf } = await planned("transfers");
    const transfers = bodiesOf("createTransfer");

    const references = different(transfers, "transferReference");
    expect(references).toBeLessThan(transfers.length - 100);
    expect(new Set(transfers.map((body) => JSON.stringify(body))).size).toBe(references);
  });

  it("takes every record of DATA, and none of them half", async () => {
    const data = { createTransfer: PAYEES, createQrTransaction: CUSTOMERS };
    const { bodiesOf, calls } = await planned("gateway", {}, data);
    const [qr, card] = [bodiesOf("createQrTransaction"), bodiesOf("createCardTransaction")];

    expect([qr, card].map((bodies) => different(bodies, "customerId"))).toEqual([5, 1]);
    const transfers = bodiesOf("createTransfer");
    for (const body of transfers) expect(body).toMatchObject(PAYEES[Number(body.bankCode)] ?? { none: true });
    const reserved = calls.filter(({ operation }) => operation === "createTransfer");
    expect(sumOfCalls(reserved).total).toBe(totalOf(transfers, 100));
  });

  it("moves no money without permission, and names no account", async () => {
    const { sent, calls, prepared } = await planned(everythingFor(exampleTarget()).steps);
    const refused = sent.filter(({ refusal }) => refusal);

    expect([calls, prepared.missing]).toEqual([[], []]);
    expect(new Set(refused.map(({ operation }) => operation)).size).toBe(2);
    for (const { operation, body } of refused)
      if (operation === "refundTransaction") expect(body.transactionRef).toMatch(/^load-0123abcd-\d{7}$/);
      else expect(body).not.toHaveProperty("email");
  });
});
