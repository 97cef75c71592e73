import { expect, it } from "vitest";
import { similarName } from "./similar.ts";

const KNOWN = ["REVOKED_KEY", "SECRET_KEY", "DATA", "SLO", "dry-run", "out"];

it.each([
  ["REVOKD_KEY", "REVOKED_KEY"],
  ["REVOEKD_KEY", "REVOKED_KEY"],
  ["SECRETKEY", "SECRET_KEY"],
  ["dry-rum", "dry-run"],
  ["DATE", "DATA"],
])("takes %s for a misspelt %s", (name, meant) => {
  expect(similarName(name, KNOWN)).toBe(meant);
});

it.each(["PORT", "otp", "SLA", "DATABASE", "registry"])("finds nothing like %s", (name) => {
  expect(similarName(name, KNOWN)).toBeUndefined();
});
