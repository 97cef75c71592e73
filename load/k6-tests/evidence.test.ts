import { describe, expect, it } from "vitest";
import { showsOtherAmount, showsOtherReference } from "../k6/evidence.ts";
import { type ReferenceForm, referencesOf } from "../k6/templates/reference.ts";

describe.each<ReferenceForm>(["plain", "uuid", "digits", "short"])("with %s references", (form) => {
  const { at, prefix } = referencesOf("0123abcd", form);
  const shows = (text: string) => showsOtherReference(text, prefix, at(7));

  it("finds the reference of another request in a response, wherever it is", () => {
    expect(shows(JSON.stringify({ data: [{ reference: at(7) }, { note: `for ${at(8)}` }] }))).toBe(true);
  });

  it.each([
    ["its own", `{"reference":"${at(7)}"}`],
    ["its own twice", `{"reference":"${at(7)}","id":"TRF-${at(7)}"}`],
    ["its own, cut off", `{"reference":"${at(7).slice(0, -3)}..."}`],
    ["that of another run", `{"reference":"${referencesOf("0123abce", form).at(8)}"}`],
    ["none", "<html>"],
  ])("takes a response for its own that shows %s", (_, text) => {
    expect(shows(text)).toBe(false);
  });
});

describe("showsOtherAmount", () => {
  it.each([
    [false, "the same amount", '{"data":{"amount":150.5}}', '{"amount":150.5,"note":"x"}'],
    [false, "it as text", '{"amount": "150.00"}', '{"amount":150}'],
    [false, "it in subunits", '{"amount":15050}', '{"amount":150.5}'],
    [false, "none", '{"status":"Pending"}', '{"amount":150}'],
    [false, "one that was not sent", '{"amount":150}', '{"limit":5}'],
    [true, "another one", '{"amount":99}', '{"amount":150}'],
    [true, "another one with its currency", '{"amount":{"currency":"x","amount":"99"}}', '{"amount":150}'],
  ])("is %s for a response that shows %s", (expected, _, response, request) => {
    expect(showsOtherAmount(JSON.parse(response), request)).toBe(expected);
  });
});
