import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { exampleStep } from "../testing/examples.ts";
import { howToLoad, variablesIn } from "./commands.ts";

describe("variablesIn", () => {
  it("names the variables that commands use, the key first, and not the one that they set themselves", () => {
    const curl = `RUN=1; curl '"$CARD_CVV"' '"$RUN"' '"$SECRET_KEY"' '"$CARD_CVV"' '$5'`;

    expect(variablesIn([{ steps: [exampleStep({ curl })] }, {}])).toEqual(["SECRET_KEY", "CARD_CVV"]);
  });
});

describe("howToLoad", () => {
  const names = ["SECRET_KEY", "CARD_CVV"];

  it("is a command of bash that loads the variables as this suite reads them, and prints nothing", () => {
    const folder = mkdtempSync(join(tmpdir(), "env-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "a b's.env");
    writeFileSync(path, `SECRET_KEY='sk_test_$x y' # the key\nCARD_CVV=737\n`);
    const [, command = ""] = howToLoad(names, { from: "env-file", path }, "linux");

    const bash = (more: string) =>
      execFileSync("bash", ["--norc", "-c", `${command}${more}`], {
        encoding: "utf8",
        env: { PATH: process.env.PATH },
      });

    expect(bash("")).toBe("");
    expect(bash('; printf %s "$SECRET_KEY $CARD_CVV"')).toBe("sk_test_$x y 737");
  });

  it("reads a file that holds the key alone", () => {
    expect(howToLoad(["SECRET_KEY"], { from: "key-file", path: "/run/key" }, "linux")).toEqual([
      "To repeat these requests in bash, first load $SECRET_KEY; this prints nothing:",
      `  export SECRET_KEY="$(cat '/run/key')"`,
    ]);
  });

  it("is a command of PowerShell on Windows", () => {
    expect(howToLoad(names, { from: "env-file", path: ".env" }, "win32")).toEqual([
      "To repeat these requests in PowerShell 7, first load $SECRET_KEY, $CARD_CVV; this prints nothing:",
      `  foreach ($name in 'SECRET_KEY', 'CARD_CVV') { Set-Item "env:$name" (node '--env-file=.env' -p "process.env.$name") }`,
    ]);
  });

  it("says where the variables are if no file has them", () => {
    expect(howToLoad(names, { from: "environment" }, "linux")).toEqual([
      "To repeat these requests, run the commands in bash with the values that this run had in its environment: $SECRET_KEY, $CARD_CVV.",
    ]);
    expect(howToLoad(names, { from: "sandbox" }, "linux").join()).toContain("has stopped");
    expect(howToLoad([], { from: "environment" })).toEqual([]);
  });
});
