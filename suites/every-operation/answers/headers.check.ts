import { checksIn, demand, sendOtherRows } from "../../../fixtures/engine/vocabulary.ts";
import { operations } from "../../../schemas/contract.ts";
import { judgeResponses } from "./recorded.ts";

const check = checksIn("late");

// Reads are free, so that all their rows are sent.
for (const { id } of operations.filter(({ effect }) => effect === "read")) {
  const title = "codes a response only in a way that its request accepts";
  check(`${id}/answers/coding`, title, { critical: "RFC 9110" }, async (ctx) => {
    await sendOtherRows(ctx, id);
    await judgeResponses(ctx, id, (response) => {
      const [accepted] = response.headersSent("accept-encoding");
      const coding = response.header("content-encoding") ?? "identity";
      const isAccepted =
        accepted === undefined || coding.split(",").every((one) => accepts(accepted, one.trim()));
      const actual = `returned ${coding} to Accept-Encoding: ${accepted}`;
      demand(isAccepted, response, actual, "a coding of these");
    });
  });
}

/** RFC 9110, section 12.5.3: a coding that is neither listed nor covered by a star is not accepted; q=0 refuses one. */
function accepts(accepted: string, coding: string): boolean {
  const listed = accepted.split(",").map((one) =>
    one
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  const entry =
    listed.find(([name]) => name === coding.toLowerCase()) ?? listed.find(([name]) => name === "*");
  return coding === "identity" || (entry !== undefined && Number(entry[1] ?? 1) > 0);
}
