import type { TestContext } from "vitest";
import { findK6, type K6 } from "../generator/binary.ts";

/** Finds k6 on this machine. Without one it skips the test, or fails it if CI is set. */
export async function k6OrSkip({ skip }: Pick<TestContext, "skip">): Promise<K6> {
  const k6 = await findK6({ mayBuild: false }).catch((error: unknown) => {
    if (process.env.CI) throw error;
    return undefined;
  });
  return k6 ?? skip("k6 is missing; npm run load finds or builds it");
}
