import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { acceptedControl, judgeOptionalParts } from "../../fixtures/control.ts";
import { basisOf, explore, handlingOf, isBreakdown } from "../../fixtures/leeway.ts";
import { observes } from "../../fixtures/leeway-checks.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { TransactionFailure } from "../../schemas/errors.ts";
import { checkAmounts, checkOverflow, NOT_POSITIVE, OUT_OF_SCALE } from "./amounts.ts";
import { OPTIONAL_FIELDS } from "./optional-fields.ts";

/** An identifier that no customer or plan is expected to have. */
const UNKNOWN_PARTY = 2_000_000_000;

check(
  "createQrTransaction/accepted",
  { level: "MUST", requirements: contract.createQrTransaction.requirements.success, pays: 1 },
  (bench) => acceptedControl(bench, "createQrTransaction"),
);

check(
  "createQrTransaction/optional-fields",
  { level: "MUST", requirements: ["R005", "R028"], pays: 1 },
  async (bench) => judgeOptionalParts(bench, "createQrTransaction", await withOptionalFields(bench)),
);

check(
  "createQrTransaction/transaction_id-unique",
  { level: "SHOULD", critical: true, requirements: ["R008"] },
  async (bench) => {
    const first = await basisOf(bench, "createQrTransaction");
    const second = await withOptionalFields(bench);
    judgeAnswered(second);

    const [one, other] = [first, second].map((answer) => answer.field("transaction_id"));
    if (one !== undefined && one === other)
      throw violation(second, `answered transaction_id ${other} to two payments`, "an identifier of its own");
  },
);

check(
  "createQrTransaction/code-url-not-empty",
  { level: "SHOULD", requirements: ["R029", "R030"] },
  async (bench) => {
    const answer = await basisOf(bench, "createQrTransaction");
    const url = answer.field("CodeUrl");
    if (typeof url === "string" && url.trim() === "")
      throw violation(answer, `${outcomeOf(answer)} with an empty CodeUrl`, "the QR payload");
  },
);

check("createQrTransaction/vocabulary", { level: "OBSERVE", source: "G22" }, async (bench) => {
  const answer = await basisOf(bench, "createQrTransaction");
  bench.observe("G22", `ReturnCode of an accepted payment is ${JSON.stringify(answer.field("ReturnCode"))}`);
  bench.observe("G22", `CodeUrl is ${formOf(answer.field("CodeUrl"))}`);
});

check(
  "createQrTransaction/error-body-not-in-200",
  { level: "MUST", requirements: ["R031", "R111"] },
  async (bench) => {
    const answer = await attemptPatiently(bench, "createQrTransaction", { body: { amount: undefined } });
    judgeAnswered(answer);
    if (answer.status === 200 && TransactionFailure.safeParse(answer.json).success)
      throw violation(answer, "answered 200 with the error body when amount is left out", "400");
  },
);

checkAmounts("createQrTransaction", [...NOT_POSITIVE, ...OUT_OF_SCALE]);
checkOverflow("createQrTransaction");

observes("createQrTransaction/fees-negative", "G02", "a payment with fees of -1", { body: { fees: -1 } });
observes("createQrTransaction/fees-above-amount", "G02", "a payment with fees above its amount", (bench) => ({
  body: { fees: (bench.values.TRANSACTION_AMOUNT ?? 100) * 2 },
}));
observes("createQrTransaction/channel-unknown", "N07", "a payment over an invented channel", {
  body: { channel: "CONFORMANCE" },
});
observes("createQrTransaction/ip-address-invalid", "N40", "a payment whose ipAddress is no address", {
  body: { ipAddress: "not an ip" },
});

for (const field of ["customerId", "planId"] as const) {
  check(`createQrTransaction/${field}-unknown`, { level: "SHOULD", source: "N40" }, async (bench) => {
    const answer = await explore(bench, "createQrTransaction", { body: { [field]: UNKNOWN_PARTY } });
    if (handlingOf(answer) === "is accepted")
      throw violation(answer, `${outcomeOf(answer)} although nobody has the ${field}`, "a refusal");
    if (!isBreakdown(answer))
      bench.observe("N40", `a payment with an unknown ${field} ${handlingOf(answer)}`);
  });
}

/** A payment with every optional field, made once per run. */
function withOptionalFields(bench: Bench) {
  return bench.run
    .shared("createQrTransaction/optional-fields", () =>
      bench.send("createQrTransaction", { body: OPTIONAL_FIELDS }),
    )
    .then((answer) => {
      bench.note(answer);
      return answer;
    });
}

/** EMVCo codes begin with the payload format indicator 000201. */
function formOf(payload: unknown): string {
  if (typeof payload !== "string") return "no text";
  if (payload.startsWith("000201")) return "an EMV merchant code";
  return URL.canParse(payload) ? "a URL" : "neither a URL nor an EMV merchant code";
}
