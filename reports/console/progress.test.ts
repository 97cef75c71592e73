import { expect, it } from "vitest";
import type { Output } from "../command-line/command.ts";
import { showsColor } from "./layout.ts";
import { allWaits, showProgress } from "./progress.ts";

function terminal(properties: { isTTY?: boolean; columns?: number }): Output & { readonly output: string[] } {
  const output: string[] = [];
  return { ...properties, output, write: (text) => output.push(text) };
}

const LONG = "listTransfers/limit-missing";

it.each([
  ["rewrites one line of a terminal", { columns: 80 }, { NO_COLOR: "1" }, `43/512 ${LONG}`],
  [
    "never fills the line, because a full line would wrap",
    { columns: 22 },
    { NO_COLOR: "1" },
    "43/512 listTransfers…",
  ],
  ["is faint unless NO_COLOR is set", {}, {}, `43/512 \u001b[2m${LONG}\u001b[22m`],
])("the progress %s", (_case, properties, env, line) => {
  const screen = terminal({ isTTY: true, ...properties });
  const progress = showProgress(screen, env);

  progress.update(43, 512, LONG);
  progress.clear();

  expect(screen.output).toEqual([`\r\u001b[K${line}`, "\r\u001b[K"]);
});

it.each([
  ["a pipe", {}, {}],
  ["a dumb terminal", { isTTY: true }, { TERM: "dumb" }],
])("writes nothing but what the run waits for to %s", (_case, properties, env) => {
  const screen = terminal(properties);
  const progress = showProgress(screen, env);

  progress.update(1, 2, "getProfile/accepted");
  for (const wait of ["Waiting up to 9 s", "Waiting up to 8 s", undefined, "Waiting up to 3 s"])
    progress.wait(wait);
  progress.clear();

  expect(screen.output).toEqual(["Waiting up to 9 s\n", "Waiting up to 3 s\n"]);
});

it.each([
  [
    { shownMs: 1200, waitedMs: 31_000 },
    "This deployment shows accepted writes after at most 1.2 s. This run waited 31 s in total before looking at transfers again. SETTLE_SECONDS=5 would do, unless transfers still change later.",
  ],
  [{ waitedMs: 31_000 }, "This run waited 31 s in total before looking at transfers again."],
])("says how long the run waited, and suggests a shorter time: %j", (waits, line) => {
  expect(allWaits({ settleMs: 30_000, left: 0, ...waits }).trim()).toBe(line);
});

it.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: true }, { NO_COLOR: "1" }, false],
  [{ isTTY: true }, { TERM: "dumb" }, false],
  [{}, {}, false],
])(
  "the console has colours in a terminal that shows them, unless NO_COLOR is set (%#)",
  (properties, env, color) => {
    expect(showsColor(terminal(properties), env)).toBe(color);
  },
);
