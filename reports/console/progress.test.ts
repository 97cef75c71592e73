import { describe, expect, it } from "vitest";
import { showProgress, type Terminal } from "./progress.ts";

function terminal(properties: {
  isTTY?: boolean;
  columns?: number;
}): Terminal & { readonly output: string[] } {
  const output: string[] = [];
  return { ...properties, output, write: (text) => output.push(text) };
}

describe("showProgress", () => {
  it("rewrites one line of a terminal and erases it at the end", () => {
    const screen = terminal({ isTTY: true, columns: 80 });
    const progress = showProgress(screen, { NO_COLOR: "1" });

    progress.update(43, 512, "listTransfers/limit-missing");
    progress.clear();

    expect(screen.output).toEqual(["\r\u001b[K43/512 listTransfers/limit-missing", "\r\u001b[K"]);
  });

  it("never fills the line, because a full line would wrap", () => {
    const screen = terminal({ isTTY: true, columns: 20 });

    showProgress(screen, { NO_COLOR: "1" }).update(1, 512, "listTransfers/limit-missing");

    expect(screen.output[0]?.slice("\r\u001b[K".length)).toBe("1/512 listTransfer…");
  });

  it("colours only if NO_COLOR is not set", () => {
    const screen = terminal({ isTTY: true });

    showProgress(screen, {}).update(1, 2, "getProfile/accepted");

    expect(screen.output).toEqual(["\r\u001b[K1/2 \u001b[2mgetProfile/accepted\u001b[22m"]);
  });

  it.each([
    ["a pipe", {}, {}],
    ["a dumb terminal", { isTTY: true }, { TERM: "dumb" }],
  ])("writes nothing to %s", (_case, properties, env) => {
    const screen = terminal(properties);
    const progress = showProgress(screen, env);

    progress.update(1, 2, "getProfile/accepted");
    progress.clear();

    expect(screen.output).toEqual([]);
  });
});
