import { describe, expect, it } from "vitest";
import { exampleStart } from "../testing/examples.ts";
import { allureReporter } from "./allure.ts";

const { target } = exampleStart();

describe("allureReporter", () => {
  it("names the module and the folder, and never reports matchers, whose values are not redacted", () => {
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
