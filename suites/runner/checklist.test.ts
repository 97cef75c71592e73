import { describe, expect, test } from "vitest";
import { commandErrorOf } from "../../fixtures/testing/example-target.ts";
import { operations } from "../../schemas/contract.ts";
import { requirements } from "../../schemas/requirements.ts";
import { formatListed, type Listed, readChecklist, select } from "./checklist.ts";
import { phasesOf } from "./phases.ts";

const checks = readChecklist();
const idsOf = (selected: readonly Listed[]) => selected.map(({ id }) => id);

describe("readChecklist", () => {
  test("knows every operation and every check once, in a file that belongs to one phase", () => {
    const ids = idsOf(checks);

    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(checks.map(({ operation }) => operation))).toEqual(
      new Set(operations.map(({ id }) => id)),
    );
    expect([...phasesOf(checks).keys()]).toEqual([...new Set(checks.map(({ file }) => file))]);
  });

  test("has a check for every requirement that can be tested", () => {
    const covered = new Set<string>(checks.flatMap((check) => check.requirements));
    const testable = Object.entries(requirements).filter(([, { testable }]) => testable !== "no");

    expect(testable.map(([id]) => id).filter((id) => !covered.has(id))).toEqual([]);
  });

  test("reads back what a line says", () => {
    const line = "createTransfer/x\tSHOULD!*\tPCI 3.4\tpays=2\ttransfers/create-transfer.check.ts\tpays once";
    const listed: Listed = {
      id: "createTransfer/x",
      title: "pays once",
      operation: "createTransfer",
      level: "SHOULD",
      critical: true,
      basis: "mandate",
      requirements: [],
      source: "PCI 3.4",
      pays: { least: 2, most: 2 },
      file: "transfers/create-transfer.check.ts",
    };

    expect(formatListed(listed)).toBe(line);
    expect(checks.map(formatListed).every((text) => text.split("\t").length === 6)).toBe(true);
  });

  test("names a requirement for every MUST that rests on the specification", () => {
    const bare = checks.filter(
      ({ level, basis, requirements }) => level === "MUST" && !basis && requirements.length === 0,
    );

    expect(idsOf(bare)).toEqual([]);
  });
});

describe("select", () => {
  test("takes operations, checks and patterns, and keeps the order", () => {
    const some = select(checks, ["createTransfer/acc*", "getDispute,listCustomers/accepted"]);
    const isMeant = /^(createTransfer\/acc.*|getDispute\/.*|listCustomers\/accepted)$/;

    expect(idsOf(some)).toEqual(idsOf(checks).filter((id) => isMeant.test(id)));
    expect(select(checks, [])).toEqual(checks);
  });

  test.each([
    ["createTransf"],
    ["createTransfer/accepte"],
    ["create.ransfer"],
    [""],
    ["getProfile,nothing/*"],
    [`${"*a".repeat(40)}b`],
  ])("refuses %j, since a part of it selects nothing", async (pattern) => {
    const { exitCode, message } = await commandErrorOf(() => select(checks, [pattern]));

    expect(exitCode).toBe(2);
    expect(message).toContain("--list");
  });
});

describe("phasesOf", () => {
  test.each([
    ["disputes/get-dispute.check.ts", "getDispute", "reads"],
    ["transfers/create-transfer.check.ts", "createTransfer", "writes"],
    ["transfers/every-transfer.final.check.ts", "createTransfer", "final"],
  ] as const)("runs %s, of %s, in the phase %s", (file, operation, phase) => {
    expect(phasesOf([{ file, operation }]).get(file)).toBe(phase);
  });

  test("refuses a file that declares an unknown phase", () => {
    const file = "transfers/transfers.later.check.ts";

    expect(() => phasesOf([{ file, operation: "createTransfer" }])).toThrow("declares the phase later");
  });

  test("refuses a file with checks of two phases", () => {
    const file = "transfers/transfers.check.ts";

    expect(() =>
      phasesOf([
        { file, operation: "listTransfers" },
        { file, operation: "createTransfer" },
      ]),
    ).toThrow(`${file} has checks of reads and of writes`);
  });
});
