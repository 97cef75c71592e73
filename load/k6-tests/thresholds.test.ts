import { describe, expect, it } from "vitest";
import { thresholdsOf } from "../k6/thresholds.ts";

describe("thresholdsOf", () => {
  it("demands that each operation was sent and accepted", () => {
    const thresholds = thresholdsOf({ createTransfer: 80, listTransfers: 20 }, {});

    for (const name of ["createTransfer", "listTransfers"]) {
      expect(thresholds[`http_reqs{name:${name}}`]).toEqual(["count>0"]);
      expect(thresholds[`outcomes{name:${name},outcome:accepted}`]).toEqual(["count>0"]);
    }
    expect(thresholds).toMatchObject({ checks: ["rate==1"], exceptions: ["count==0"] });
  });

  it("demands a rejection of what asks for one, and no more acceptances than requests that may be accepted", () => {
    const counts = (planned: number, refusals: number) => {
      const name = "initializeVirtualAccount";
      const thresholds = thresholdsOf({ [name]: planned }, {}, { [name]: refusals });
      return ["accepted", "business-refused"].map(
        (one) => thresholds[`outcomes{name:${name},outcome:${one}}`],
      );
    };

    expect(counts(10, 10)).toEqual([["count<=0"], ["count>0"]]);
    expect(counts(10, 4)).toEqual([["count>0", "count<=6"], ["count>0"]]);
    expect(counts(10, 0)).toEqual([["count>0"], []]);
  });

  it("judges no latency and no rate without objectives, but keeps both for the summary", () => {
    const thresholds = thresholdsOf({ createTransfer: 5000 }, {});

    expect(thresholds).toMatchObject({
      "latency{name:createTransfer}": [],
      "outcomes{name:createTransfer,outcome:malformed}": [],
      server_errors: [],
      technical_failures: [],
    });
  });

  it("judges a percentile only if enough requests are planned", () => {
    const latency = { createTransfer: { p50: 100, p95: 200, p99: 300 } };
    const judged = (planned: number) =>
      thresholdsOf({ createTransfer: planned }, { latency })["latency{name:createTransfer}"];

    expect([judged(19), judged(20), judged(200), judged(1000)]).toEqual([
      [],
      ["med<=100"],
      ["med<=100", "p(95)<=200"],
      ["med<=100", "p(95)<=200", "p(99)<=300"],
    ]);
  });

  it("judges the shares of server errors and technical failures", () => {
    const thresholds = thresholdsOf({}, { serverErrors: 0.001, technicalFailures: 0.01 });

    expect(thresholds).toMatchObject({ server_errors: ["rate<=0.001"], technical_failures: ["rate<=0.01"] });
  });
});
