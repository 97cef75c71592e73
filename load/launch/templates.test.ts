import { describe, expect, it, onTestFinished } from "vitest";
import { BARE_PATHS, Client } from "../../fixtures/engine/http/client.ts";
import { exampleTarget } from "../../fixtures/testing/example-target.ts";
import { type LoadData, withData } from "../inputs/data.ts";
import { poolsOf } from "../inputs/pools.ts";
import { clientOf } from "../k6/client.ts";
import { referencesOf } from "../k6/templates/reference.ts";
import { columnOf, compile } from "../k6/templates/template.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import { type WorkloadName, workloads } from "../k6/traffic/workloads.ts";
import { moneyCalls } from "./money.ts";

import { prepare, recordsIn } from "./templates.ts";

const ITERATIONS = 2000;

const VARIABLES = {
  CUSTOMER_ID: "1001",
  PLAN_ID: "2001",
  QR_CHANNEL: "QR",
  MCH_NO: "M1",
  SUB_MCH_NO: "S1",
  CARD_CHANNEL: "CARD",
  CARD_NUMBER: "4111111111111111",
  CARD_EXPIRY_MONTH: "12",
  CARD_EXPIRY_YEAR: "2030",
  CARD_CVV: "123",
  BANK_CODE: "058",
  ACCOUNT_NUMBER: "0123456789",
  ACCOUNT_NAME: "Test Beneficiary",
  EMAIL_ADDRESS: "qa@example.com",
  TRANSFER_AMOUNT: "100",
  PAGE_ID: "3001",
};

/** What k6 sends in each iteration of a workload, and what the suite knows about it. */
async function planned(
  workload: WorkloadName,
  data?: LoadData,
  change: Record<string, string> = {},
  variables: Record<string, string> = VARIABLES,
) {
  const configured = exampleTarget({ ...variables, ...change });
  const target = data ? withData(configured, data) : configured;
  const client = new Client(target, "0123abcd", { pathForms: BARE_PATHS });
  onTestFinished(() => client.close());
  const prepared = await prepare(client, workloads[workload], poolsOf(target, data));
  const schedule = new Schedule(prepared.steps);
  const references = referencesOf("0123abcd");
  const valuesAt = (place: string) => columnOf(prepared.pools, place);
  const sent = Array.from({ length: ITERATIONS }, (_, iteration) => {
    const { step, origin } = schedule.requestAt(iteration);
    const { url, body } = step.template;
    const filled = body && compile(body, valuesAt)(references.at(origin), origin);
    return {
      operation: step.operation,
      refusal: step.refusal,
      url: compile(url, valuesAt)(references.at(origin), origin),
      body: filled === null || filled === "" ? {} : (JSON.parse(filled) as Record<string, unknown>),
    };
  });
  const { calls } = moneyCalls(references, prepared, ITERATIONS, clientOf("patient", 1000));
  return { prepared, sent, calls, records: recordsIn(prepared, ITERATIONS) };
}

const MONEY = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "10", MAX_PAYOUT_TOTAL: "100" };

const different = (sent: readonly { body: Record<string, unknown> }[], field: string) =>
  new Set(sent.map(({ body }) => body[field])).size;

describe("prepare", () => {
  it("varies notes, addresses and amounts around the operator's own beneficiary", async () => {
    const { sent, calls, records } = await planned("payroll");
    const transfers = sent.filter(({ operation }) => operation === "createTransfer");

    expect(different(transfers, "transferNote")).toBeGreaterThan(750);
    expect(different(transfers, "emailAddress")).toBeGreaterThan(750);
    expect([different(transfers, "amount"), different(transfers, "accountNumber")]).toEqual([11, 1]);
    for (const { body } of transfers) {
      expect(body.amount).toBeGreaterThanOrEqual(100);
      expect(body.amount).toBeLessThanOrEqual(110);
    }
    expect(records).toEqual({ beneficiaries: 1 });
    // One transfer precedes the load and one follows it, with the operator's own amount.
    const total = transfers.reduce((sum, { body }) => sum + Number(body.amount), 200);
    expect(calls.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
    expect(calls).toHaveLength(transfers.length + 2);
  });

  it("counts virtual accounts, whose amounts are in the subunit, in the unit of the currency", async () => {
    const { sent, calls } = await planned("dva", undefined, { SUBUNITS_PER_UNIT: "1000" });

    // One account is opened before the load and one after it, with the operator's own amount.
    const total = sent.reduce((sum, { body }) => sum + Number(body.amount), 200_000);
    expect(calls.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(total / 1000, 2);
  });

  it("repeats a transfer as it was, note, address and amount included", async () => {
    const { sent } = await planned("transfers");
    const byReference = new Map<unknown, unknown[]>();
    for (const { body } of sent)
      byReference.set(body.transferReference, [...(byReference.get(body.transferReference) ?? []), body]);
    const repeated = [...byReference].filter(([reference, all]) => reference !== undefined && all.length > 1);

    expect(repeated.length).toBeGreaterThan(100);
    for (const [, [first, ...others]] of repeated) for (const other of others) expect(other).toEqual(first);
  });

  it("takes every record of DATA, and none of them half", async () => {
    const data: LoadData = {
      customers: [1, 2, 3, 4, 5].map((customerId) => ({ customerId })),
      channels: [
        { operation: "qr", channel: "QR1" },
        { operation: "qr", channel: "QR2" },
      ],
      beneficiaries: Array.from({ length: 40 }, (_, index) => ({
        bankCode: `${index}`,
        accountNumber: `${1_000_000 + index}`,
        accountName: `Name ${index}`,
        amount: 10 + index,
      })),
    };
    const { sent, calls, records } = await planned("gateway", data);
    const transfers = sent.filter(({ operation }) => operation === "createTransfer");

    expect(records).toEqual({ customers: expect.any(Number), beneficiaries: 40 });
    for (const operation of ["createQrTransaction", "createCardTransaction"]) {
      const payments = sent.filter((one) => one.operation === operation);
      expect(different(payments, "customerId")).toBe(5);
    }
    const qr = sent.filter(({ operation }) => operation === "createQrTransaction");
    expect(different(qr, "channel")).toBe(2);
    for (const { body } of transfers) {
      const index = Number(body.bankCode);
      expect(body).toMatchObject({
        accountNumber: `${1_000_000 + index}`,
        accountName: `Name ${index}`,
        amount: 10 + index,
      });
    }
    const total = transfers.reduce((sum, { body }) => sum + Number(body.amount), 20);
    const reserved = calls.filter(({ operation }) => operation === "createTransfer");
    expect(reserved.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
  });

  it("needs no variable that DATA gives", async () => {
    const data: LoadData = {
      customers: [{ customerId: 7 }],
      plans: [{ planId: 8 }],
      merchants: [{ mch_no: "M", sub_mch_no: "S" }],
      channels: [{ operation: "qr", channel: "QR" }],
    };
    const [without, given] = [
      await planned("qr", undefined, MONEY, {}),
      await planned("qr", data, MONEY, {}),
    ];

    expect(without.prepared.missing).toContain("CUSTOMER_ID");
    expect(given.prepared.missing).toEqual([]);
  });

  it.each(["readers", "safe"] as const)("moves no money in %s, and names no account", async (workload) => {
    const { sent, calls, prepared } = await planned(workload);

    expect(calls).toEqual([]);
    expect(prepared.missing).toEqual([]);
    const refused = sent.filter(({ refusal }) => refusal);
    for (const { operation, body } of refused) {
      if (operation === "refundTransaction") expect(body.transactionRef).toMatch(/^load-0123abcd-\d{7}$/);
      else expect(body).not.toHaveProperty("email");
    }
    expect(new Set(refused.map(({ operation }) => operation)).size).toBe(workload === "safe" ? 2 : 0);
  });

  it("sends no note where the operator wants none, and amounts as fine as the operator's", async () => {
    const { sent } = await planned("transfers", undefined, { NOTE_FORM: "none", TRANSFER_AMOUNT: "1.5" });
    const [first] = sent;

    expect(first?.body).not.toHaveProperty("transferNote");
    expect(new Set(sent.flatMap(({ body }) => body.amount ?? []))).toEqual(new Set([1.5, 1.6]));
  });

  it("keeps text of the operator that looks like a place of ours", async () => {
    const { sent } = await planned("transfers", undefined, { ACCOUNT_NAME: "{{invented.email}} {{x.y}}" });

    expect(sent[0]?.body.accountName).toBe("{{invented.email}} {{x.y}}");
  });
});
