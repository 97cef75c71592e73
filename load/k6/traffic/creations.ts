import type { Step } from "./workloads.ts";

/** Whether the requests of a step create the transfer that later steps repeat or look up. */
export const createsTransfer = ({ operation, creationsAgo }: Step) =>
  operation === "createTransfer" && creationsAgo === undefined;
