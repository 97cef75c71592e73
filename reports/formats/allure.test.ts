import { describe, expect, it } from "vitest";
import { exampleCheck, exampleStart } from "../testing/examples.ts";
import { allureDescription, allureReporter } from "./allure.ts";

const { target } = exampleStart();

describe("allureReporter", () => {
  it("names the module and the folder, and shows no matchers, whose values are not redacted", () => {
    const [module, options] = allureReporter("out/allure-results", target);

    expect(module).toBe("allure-vitest/reporter");
    expect(options).toMatchObject({ resultsDir: "out/allure-results", reportMatchers: false });
  });

  it("says what was tested", () => {
    expect(allureReporter("out", target)[1].environmentInfo).toEqual({
      Target: "staging",
      Version: "2.4",
      Environment: "sandbox",
    });
    expect(allureReporter("out", { ...target, embedded: true })[1].environmentInfo).toMatchObject({
      Target: "embedded sandbox",
    });
  });
});

describe("allureDescription", () => {
  it("says what the check demands, what it found, and which rules it rests on", () => {
    const message = "GET …/get-transfer-list returned 500";

    expect(allureDescription(exampleCheck("fail", { message, source: "RFC 9110" }))).toBe(
      [
        "The API lists transfers.",
        message,
        "Rules:\n\n- R054 (section 4.8): GET transfer/get-transfer-list lists transfers.\n- RFC 9110: HTTP Semantics",
      ].join("\n\n"),
    );
  });

  it("keeps the words of a target from becoming markup", () => {
    expect(allureDescription(exampleCheck("fail", { message: "<b>[x](y)</b>\n# `z`" }))).toContain(
      "\\<b\\>\\[x\\](y)\\</b\\>\\\\n\\# \\`z\\`",
    );
  });
});
