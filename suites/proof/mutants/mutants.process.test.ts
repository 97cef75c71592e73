import { expect, test } from "vitest";
import { invoke } from "../../../fixtures/testing/invoke.ts";
import { mutants } from "./main.ts";

/** 40 s on an idle machine, and room for a busy one. */
const LONGEST_MS = 5 * 60_000;

test("catches one fault for each file of checks", { timeout: LONGEST_MS }, async () => {
  const { code, stdout } = await invoke(mutants, ["--sample"]);

  expect(stdout).toMatch(/^(\d{2}) of \1 faults are caught as the record says\n0 complaints, seed 1\n$/);
  expect(code).toBe(0);
});

test("exits with 2 if a pattern matches nothing", async () => {
  expect(await invoke(mutants, ["--fault", "no-such-fault"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--fault no-such-fault matches none of/),
  });
});
