import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { Points, PointsSource } from "../../fixtures/sandbox/points/points.ts";
import { deploy, verdictsIn } from "../../fixtures/testing/deployment.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { type Invoked, invoke } from "../../fixtures/testing/invoke.ts";
import { start } from "../../fixtures/testing/spawned.ts";
import type { Verdicts } from "../../reports/verdicts/run.ts";
import { requirements } from "../../schemas/requirements.ts";
import { certify, gate } from "./certify.ts";

vi.setConfig({ testTimeout: 180_000 });

/** A deployment that behaves as these points say, and its data. */
const deployed = (points: PointsSource = {}) => deploy({ changes: [{ id: "deployed", points }] });

const ledgerOf = ({ folder }: Invoked) => {
  const directory = join(folder, "reports/ledger");
  return readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
};

/** The verdicts of every run in a folder. */
const runsIn = (folder: string) =>
  readdirSync(join(folder, "reports/out"))
    .filter((name) => name !== "latest")
    .map((name) => {
      const file = join(folder, "reports/out", name, "verdicts.json");
      return JSON.parse(readFileSync(file, "utf8")) as Verdicts;
    });

describe("npm run certify against a deployment", () => {
  test("of which only address and key are known moves no money, and says what it could not test", async () => {
    const { env, sandbox } = await deployed();
    const { BASE_URL, SECRET_KEY } = env;

    const certified = await invoke(certify, [], { BASE_URL, SECRET_KEY });
    const gated = await invoke(gate, [], { BASE_URL, SECRET_KEY });
    const file = verdictsIn(certified);

    expect([certified.code, gated.code]).toEqual([4, 0]);
    expect(certified.stdout).toContain("ALLOW_PAYOUTS");
    expect(certified.stdout).toContain("PAGE_ID");
    expect(file.money.kept).toMatchObject({ count: 0 });
    expect(
      sandbox.log.filter(
        ({ operation, status = 0 }) => operation === "createTransfer" && status >= 200 && status < 300,
      ),
    ).toEqual([]);
    const undecided = Object.entries(requirements).flatMap(([id, requirement]) => {
      if (!("zeroFixture" in requirement) || requirement.testable === "no") return [];
      const about = file.checks.filter(
        (check) => check.level === "MUST" && (check.requirements as string[]).includes(id),
      );
      const decided = about.some(({ verdict }) => /^(pass|pass-weak|fail)$/.test(verdict));
      return about.length > 0 && !decided ? [id] : [];
    });
    expect(undecided).toEqual([]);
  });

  test("whose list of transfers is empty at first is judged by the transfers of the run", async () => {
    const isOld = (madeAt: number) => madeAt === Number.NEGATIVE_INFINITY;
    const empty: Points = { show: (record, { madeAt }) => (isOld(madeAt) ? undefined : record) };
    // The second page begins with the last record of the first one.
    const overlapping: Points = {
      window: (records, { all, paging: { page, limit } }) =>
        page > 1 ? all.slice((page - 1) * limit - 1, page * limit - 1) : records,
    };
    const args = ["--select", "listTransfers/paging/pages-*,createTransfer/idempotency/*"];
    const verdictsOf = async (points: Points) =>
      verdictsIn(await invoke(certify, args, (await deployed(points)).env));

    const sound = await verdictsOf(empty);
    const faulty = await verdictsOf({ ...empty, ...overlapping });
    const ofPages = ({ checks }: Verdicts) =>
      checks.flatMap(({ id, verdict }) => (id.endsWith("/pages-disjoint") ? [verdict] : []));

    expect(ofPages(sound)).toEqual(["pass"]);
    expect(ofPages(faulty)).toEqual(["fail"]);
    expect([...sound.problems, ...faulty.problems]).toEqual([]);
  });

  test("that accepts everything keeps within the printed plan, and breaks nothing of ours", async () => {
    const all: Points = {
      schema: () => z.any(),
      rule: () => true,
      repeat: () => "pay-again",
    };
    const { env } = await deployed(all);

    const ended = await invoke(certify, [], env);
    const file = verdictsIn(ended);
    const most = Number(/worst case +([\d,]+) payments/.exec(ended.stdout)?.[1]?.replaceAll(",", ""));

    expect(ended.code).toBe(1);
    expect(most).toBeGreaterThan(0);
    expect(file.money.kept.count).toBeGreaterThan(25);
    expect(file.money.kept.count).toBeLessThanOrEqual(most);
    expect(ledgerOf(ended)).toHaveLength(1);
    expect(file.checks.flatMap(({ id, verdict }) => (verdict === "suite-error" ? [id] : []))).toEqual([]);
    expect(file.problems).toEqual([]);
  });

  test("comes to the same verdicts twice at the same time", async () => {
    const { env } = await deployed();
    // One folder, so that neither takes what the other has used up.
    const folder = temporaryFolder();
    const run = (seed: string) => start("certify", ["--seed", seed], env, folder).ended;

    const ends = await Promise.all([run("1"), run("2")]);
    const [one, other] = runsIn(folder);
    const differing = one?.checks.flatMap(({ id, verdict }) => {
      const again = other?.checks.find((check) => check.id === id);
      const moved = [verdict, again?.verdict].includes("inconclusive") && again?.message?.includes("moving");
      return verdict === again?.verdict || moved ? [] : [`${id}: ${verdict}, then ${again?.verdict}`];
    });

    expect(differing).toEqual([]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  });
});
