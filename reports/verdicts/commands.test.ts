import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { exampleStep } from "../testing/examples.ts";
import { howToLoad, variablesIn } from "./commands.ts";
import type { KeySource } from "./run.ts";

describe("variablesIn", () => {
  it("names the variables that commands use, the key first, and not the one that they set themselves", () => {
    const curl = `RUN=1; curl '"$CARD_CVV"' '"$RUN"' '"$SECRET_KEY"' '"$CARD_CVV"' '$5'`;

    expect(variablesIn([{ steps: [exampleStep({ curl })] }, {}])).toEqual(["SECRET_KEY", "CARD_CVV"]);
  });
});

describe("howToLoad", () => {
  const names = ["SECRET_KEY", "CARD_CVV"];

  it.each([
    `SECRET_KEY='sk_test_$x y' # the key\nCARD_CVV=737\n`,
    "\ufeffSECRET_KEY: 'sk_test_$x y'\nexport CARD_CVV: 737\n",
  ])(
    "is a command of bash that loads the variables of %j as this suite reads them, and prints nothing",
    (text) => {
      const folder = mkdtempSync(join(tmpdir(), "env-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const path = join(folder, "a b's.env");
      writeFileSync(path, text);
      const [, command = ""] = howToLoad(names, { from: "env-file", path });

      const bash = (more: string) =>
        execFileSync("bash", ["--norc", "-c", `${command}${more}`], {
          encoding: "utf8",
          env: { PATH: process.env.PATH },
        });

      expect(bash("")).toBe("");
      expect(bash('; printf %s "$SECRET_KEY $CARD_CVV"')).toBe("sk_test_$x y 737");
    },
  );

  it("says what it said when it was reviewed", async () => {
    const cases: readonly (readonly [KeySource, readonly string[]])[] = [
      [{ from: "key-file", path: "/run/o'key" }, ["SECRET_KEY"]],
      [{ from: "key-file", path: "/run/o'key" }, names],
      [{ from: "env-file", path: ".env" }, names],
      [{ from: "environment" }, names],
      [{ from: "env-file", tls: { cacert: "o'ca.pem", cert: "c.pem" } }, ["SECRET_KEY"]],
      [{ from: "environment", tls: { cacert: "ca.pem" } }, ["SECRET_KEY"]],
      [{ from: "sandbox" }, names],
      [{ from: "environment" }, []],
    ];
    const lines = cases.flatMap(([source, some]) => [
      `# ${source.from}, ${some.join(", ") || "no variable"}`,
      ...howToLoad(some, source),
    ]);

    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../testing/golden/how-to-load.txt");
  });
});
