import { isSuccess } from "../../fixtures/classify.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf } from "../../fixtures/wording.ts";
import { unknownKey } from "./credentials.ts";

/** Few enough that no reasonable limit on bad keys is meant to be met. */
const BURST = 9;

// The last call of a run: a client may be locked out after it (N41).
check("getProfile/auth/after-bad-keys", { level: "OBSERVE", source: "N41" }, async (bench) => {
  for (let n = 1; n <= BURST; n++) {
    await bench.send(
      "getProfile",
      {},
      { authorization: `Bearer ${unknownKey(`${bench.run.settings.runId} ${n}`)}` },
    );
  }
  const answer = await bench.send("getProfile");
  bench.observe(
    "N41",
    isSuccess(answer)
      ? `a valid key is accepted right after ${BURST} bad ones`
      : `a valid key is not accepted right after ${BURST} bad ones: it ${outcomeOf(answer)}`,
  );
});
