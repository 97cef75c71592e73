import { expect, test } from "vitest";
import { variations } from "../../fixtures/mutants/variations/variations.ts";
import type { Points } from "../../fixtures/sandbox/points/points.ts";
import { deploy, verdictsIn } from "../../fixtures/testing/deployment.ts";
import { type Invoked, invoke } from "../../fixtures/testing/invoke.ts";
import { certify } from "./certify.ts";

const LONG = { timeout: 120_000 };

const found = (run: Invoked, id: string) => verdictsIn(run).checks.find((check) => check.id === id);

test("says how a list shows the amount of a transfer", LONG, async () => {
  const { env } = await deploy({
    changes: variations.filter(({ id }) => id === "item-amounts-and-prices-as-text"),
  });

  const run = await invoke(certify, ["--select", "createTransfer/listed-fields"], env);

  expect(JSON.stringify(verdictsIn(run).observations)).toMatch(/shows the amount 100 as \\+"100\.00/);
});

test("says that a refund may be rejected because the ledger is missing", LONG, async () => {
  const { env } = await deploy();
  const refund = () => invoke(certify, ["--select", "refundTransaction/accepted"], env);
  await refund();

  const again = await refund();

  expect(found(again, "refundTransaction/accepted")?.message).toMatch(/used up .* if its ledger is missing/);
});

/** Needs two further fields with one of them: which ones no request alone shows. */
const needingTwo: Points = {
  reply: (reply, { call }) => {
    const { endDate, startDate, isActive } = Object(call.received?.body);
    const isAmiss = endDate !== undefined && (startDate === undefined || isActive === undefined);
    return isAmiss ? { status: 500, headers: {}, body: { error: "failed" } } : reply;
  },
};

test("does not blame the value of a field that crashes the API without other fields", LONG, async () => {
  const { env } = await deploy({
    changes: [{ id: "needs two", on: ["createDiscountCode"], points: needingTwo }],
  });

  const run = await invoke(certify, ["--select", "createDiscountCode/values/accepted", "--seed", "2"], env);

  expect(found(run, "createDiscountCode/values/accepted")?.message).toMatch(
    /^returned 500 with endDate \([^)]*\) (alone|without startDate and isActive), and accepts the ordinary request$/,
  );
});
