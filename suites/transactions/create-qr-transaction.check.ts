import { Violation } from "../../fixtures/http/findings.ts";
import { handlingOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { observes } from "../../fixtures/judge/check-families.ts";
import { expectOptionalPartsAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { TransactionFailure } from "../../schemas/errors.ts";
import { checkAmounts, checkOverflow, NOT_POSITIVE, OUT_OF_SCALE } from "./amounts.ts";
import { OPTIONAL_FIELDS } from "./optional-fields.ts";

/** An identifier that no customer or plan is expected to have. */
const UNKNOWN_PARTY = 2_000_000_000;

check("createQrTransaction/optional-fields", "TITLE", { must: ["R005", "R028"], pays: 1 }, async (ctx) =>
  expectOptionalPartsAccepted(ctx, await withOptionalFields(ctx)),
);

check("createQrTransaction/transaction_id-unique", "TITLE", { critical: ["R008"] }, async (ctx) => {
  const first = await requireControl(ctx, "createQrTransaction");
  const second = await withOptionalFields(ctx);
  expectAnswered(second);

  const [one, other] = [first, second].map((answer) => answer.field("transaction_id"));
  if (one !== undefined && one === other)
    throw new Violation(
      second,
      `answered transaction_id ${other} to two payments`,
      "an identifier of its own",
    );
});

check("createQrTransaction/code-url-not-empty", "TITLE", { should: ["R029", "R030"] }, async (ctx) => {
  const answer = await requireControl(ctx, "createQrTransaction");
  const url = answer.field("CodeUrl");
  if (typeof url === "string" && url.trim() === "")
    throw new Violation(answer, `${outcomeOf(answer)} with an empty CodeUrl`, "the QR payload");
});

check("createQrTransaction/vocabulary", "TITLE", { observe: "G22" }, async (ctx) => {
  const answer = await requireControl(ctx, "createQrTransaction");
  ctx.observe("G22", `ReturnCode of an accepted payment is ${JSON.stringify(answer.field("ReturnCode"))}`);
  ctx.observe("G22", `CodeUrl is ${formOf(answer.field("CodeUrl"))}`);
});

check("createQrTransaction/error-body-not-in-200", "TITLE", { must: ["R031", "R111"] }, async (ctx) => {
  const answer = await sendInvalidWithRetry(ctx, "createQrTransaction", { body: { amount: undefined } });
  expectAnswered(answer);
  if (answer.status === 200 && TransactionFailure.safeParse(answer.json).success)
    throw new Violation(answer, "answered 200 with the error body when amount is left out", "400");
});

checkAmounts("createQrTransaction", [...NOT_POSITIVE, ...OUT_OF_SCALE]);
checkOverflow("createQrTransaction");

observes("createQrTransaction/fees-negative", "G02", "a payment with fees of -1", { body: { fees: -1 } });
observes("createQrTransaction/fees-above-amount", "G02", "a payment with fees above its amount", (ctx) => ({
  body: { fees: (ctx.values.TRANSACTION_AMOUNT ?? 100) * 2 },
}));
observes("createQrTransaction/channel-unknown", "N07", "a payment over an invented channel", {
  body: { channel: "CONFORMANCE" },
});
observes("createQrTransaction/ip-address-invalid", "N40", "a payment whose ipAddress is no address", {
  body: { ipAddress: "not an ip" },
});

for (const field of ["customerId", "planId"] as const) {
  check(`createQrTransaction/${field}-unknown`, "TITLE", { should: "N40" }, async (ctx) => {
    const answer = await sendTolerated(ctx, "createQrTransaction", { body: { [field]: UNKNOWN_PARTY } });
    if (handlingOf(answer) === "is accepted")
      throw new Violation(answer, `${outcomeOf(answer)} although nobody has the ${field}`, "a refusal");
    if (!answer.isCrash) ctx.observe("N40", `a payment with an unknown ${field} ${handlingOf(answer)}`);
  });
}

/** A payment with every optional field, made once per run. */
function withOptionalFields(ctx: CheckContext) {
  return ctx.run
    .once("createQrTransaction/optional-fields", () =>
      ctx.send("createQrTransaction", { body: OPTIONAL_FIELDS }),
    )
    .then((answer) => {
      ctx.note(answer);
      return answer;
    });
}

/** EMVCo codes begin with the payload format indicator 000201. */
function formOf(payload: unknown): string {
  if (typeof payload !== "string") return "no text";
  if (payload.startsWith("000201")) return "an EMV merchant code";
  return URL.canParse(payload) ? "a URL" : "neither a URL nor an EMV merchant code";
}
