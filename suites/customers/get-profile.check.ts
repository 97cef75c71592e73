import { acceptedControl } from "../../fixtures/control.ts";
import { basisOf } from "../../fixtures/leeway.ts";
import { sendPatiently } from "../../fixtures/positive.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { withoutTimes } from "./timestamps.ts";

check(
  "getProfile/accepted",
  { level: "MUST", requirements: contract.getProfile.requirements.success },
  (bench) => acceptedControl(bench, "getProfile", { ownData: true }),
);

check("getProfile/body-json", { level: "SHOULD", source: "N17" }, async (bench) => {
  const answer = await basisOf(bench, "getProfile");
  if (answer.bytes.length > 0 && answer.jsonError)
    throw violation(answer, `${outcomeOf(answer)}, and ${answer.jsonError}`, "JSON, or no body");
  bench.observe("N17", `the profile is answered with ${answer.status} and ${bodyOf(answer.bytes.length)}`);
});

check(
  "getProfile/no-secret-key",
  { level: "SHOULD", critical: true, source: "OWASP API3" },
  async (bench) => {
    const answer = await basisOf(bench, "getProfile");
    const { secretKey, values } = bench.target;
    const keys = [secretKey, values.SECOND_SECRET_KEY, values.REVOKED_KEY].filter((key) => key !== undefined);
    if (keys.some((key) => answer.text.includes(key)))
      throw violation(answer, "shows a secret key in the profile", "a profile without secrets");
  },
);

check("getProfile/steady", { level: "OBSERVE", source: "N17" }, async (bench) => {
  const first = await basisOf(bench, "getProfile");
  const second = await sendPatiently(bench, "getProfile");
  const isSame = withoutTimes(first.text) === withoutTimes(second.text);
  bench.observe("N17", `two profiles in a row ${isSame ? "agree" : "differ"}, times aside`);
});

check("getProfile/mode", { level: "OBSERVE", source: "N17" }, async (bench) => {
  const { text } = await basisOf(bench, "getProfile");
  const words = ["test", "live"].filter((word) => new RegExp(`\\b${word}\\b`, "i").test(text));
  bench.observe(
    "N17",
    `the profile ${words.length > 0 ? `speaks of ${words.join(" and ")}` : "names no mode"}`,
  );
});

const bodyOf = (length: number) => (length > 0 ? "a body" : "no body");
