import { fork } from "node:child_process";
import { once } from "node:events";
import { parseTarget, type Target } from "../../fixtures/config/target.ts";
import { contract } from "../../schemas/contract.ts";

/** A sandbox in a process of its own. */
export interface Sandbox {
  readonly pid: number | undefined;
  /** The variables with which the suite may load it without limits. */
  readonly env: Readonly<Record<string, string>>;
  readonly target: Target;
}

const CONSENT = {
  ALLOW_PAYOUTS: "true",
  MAX_PAYOUTS: "10000000",
  MAX_PAYOUT_TOTAL: "100000000000",
  SETTLE_SECONDS: "0.2",
};

/** Starts a sandbox for as long as `use` takes; each of its answers may take so much longer. */
export async function withSandbox<T>(use: (sandbox: Sandbox) => Promise<T>, latencyMs = 0): Promise<T> {
  const child = fork(new URL("./sandbox-process.ts", import.meta.url), [`${latencyMs}`]);
  try {
    const [given] = (await once(child, "message")) as [Record<string, string>];
    const env = { ...given, ...CONSENT };
    return await use({ pid: child.pid, env, target: parseTarget({ variables: env, embedded: false }) });
  } finally {
    child.kill();
  }
}

/** How many transfers a sandbox has made. */
export async function countTransfers({ target }: Sandbox): Promise<number> {
  const { route } = contract.listTransfers;
  const response = await fetch(`${target.baseUrl}${route}?limit=1&page=1`, {
    headers: { Authorization: `Bearer ${target.secretKey}` },
  });
  const { data } = (await response.json()) as { readonly data: { readonly total: number } };
  return data.total;
}
