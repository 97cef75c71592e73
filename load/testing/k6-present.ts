import type { TestContext } from "vitest";
import { findK6, type K6 } from "../launch/binary.ts";

/** The k6 of this machine; without one the test is skipped and says so, but where CI is set it must be there. */
export async function k6OrSkip({ skip }: Pick<TestContext, "skip">): Promise<K6> {
  const k6 = await findK6({ mayBuild: false }).catch((error: unknown) => {
    if (process.env.CI) throw error;
    return undefined;
  });
  return k6 ?? skip("not run: k6 missing (npm run load finds or builds it)");
}
