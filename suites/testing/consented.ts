/** The data of a sandbox as those of a deployment that allows everything. */
export const consented = (variables: Readonly<Record<string, string>>) => ({
  ...variables,
  ALLOW_PAYOUTS: "true",
  MAX_PAYOUTS: "1000",
  MAX_PAYOUT_TOTAL: "1000000000",
  ALLOW_CREATE: "true",
  PROBE_WRITES: "true",
  SETTLE_SECONDS: "0.2",
  REQUEST_TIMEOUT_MS: "2000",
});
