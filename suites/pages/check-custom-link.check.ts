import { judgeAnswered } from "../../fixtures/answered.ts";
import { isSuccess } from "../../fixtures/classify.ts";
import { acceptedControl } from "../../fixtures/control.ts";
import { bodySent } from "../../fixtures/exchanged.ts";
import { basisOf, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { observes } from "../../fixtures/leeway-checks.ts";
import { attemptPatiently, bound } from "../../fixtures/negative.ts";
import { accepted, sendPatiently } from "../../fixtures/positive.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { SimpleError } from "../../schemas/errors.ts";

const ID = "checkCustomLink";

check(
  "checkCustomLink/accepted",
  { level: "MUST", requirements: contract.checkCustomLink.requirements.success },
  (bench) => acceptedControl(bench, ID, { ownData: true }),
);

check("checkCustomLink/link-existing", { level: "MUST", requirements: ["R077", "R110"] }, (bench) =>
  bound(bench, ID, {
    id: "the link exists",
    change: { body: { customLink: bench.need("EXISTING_CUSTOM_LINK") } },
    status: 400,
    shape: SimpleError,
    requirements: ["R077"],
  }),
);

check("checkCustomLink/not-reserved", { level: "MUST", requirements: ["R076"] }, async (bench) => {
  const { customLink } = bodySent(await basisOf(bench, ID));
  await accepted(bench, ID, { body: { customLink } }, { ownData: true });
});

check("checkCustomLink/link-longer", { level: "SHOULD", requirements: ["R076"] }, async (bench) => {
  const customLink = `${bench.need("EXISTING_CUSTOM_LINK")}-${bench.run.builder.fresh()}`;
  const answer = await sendPatiently(bench, ID, { body: { customLink } });
  judgeAnswered(answer);
  if (!isSuccess(answer))
    throw violation(answer, `${outcomeOf(answer)} to a link that only begins like an existing one`, "200");
});

observes("checkCustomLink/link-in-other-case", "N40", "a taken link in other letter case", (bench) => ({
  body: { customLink: inOtherCase(bench.need("EXISTING_CUSTOM_LINK")) },
}));
observes("checkCustomLink/link-with-slash", "N40", "a taken link with a slash at its end", (bench) => ({
  body: { customLink: `${bench.need("EXISTING_CUSTOM_LINK")}/` },
}));

check("checkCustomLink/link-of-10-kB", { level: "SHOULD", source: "N43" }, async (bench) => {
  const answer = await attemptPatiently(bench, ID, { body: { customLink: "l".repeat(10_000) } });
  judgeNoBreakdown(answer, "the link has 10 kB");
});

const inOtherCase = (link: string) => (link === link.toUpperCase() ? link.toLowerCase() : link.toUpperCase());
