import { expect, it } from "vitest";
import { exampleStep } from "../testing/examples.ts";
import { whatToSet } from "./commands.ts";

it("names the variables that commands use, the key first, and not the one that they set themselves", () => {
  const curl = `RUN=1; curl '"$CARD_CVV"' '"$RUN"' '"$SECRET_KEY"' '"$CARD_CVV"' '$5'`;

  const checks = [{ steps: [exampleStep({ curl })] }, {}];

  expect(whatToSet(checks, { embedded: false })).toEqual([
    expect.stringMatching(/^To repeat these requests, set \$SECRET_KEY, \$CARD_CVV in bash/),
  ]);
  expect(whatToSet(checks, { embedded: true })).toEqual([expect.stringContaining("npm run sandbox")]);
  expect(whatToSet([{}], { embedded: false })).toEqual([]);
});
