import type { Attack } from "./attack.ts";
import { DEPLOYMENTS } from "./rows/deployments.ts";
import { FLOODS } from "./rows/floods.ts";
import { LOADS } from "./rows/loads.ts";
import { MONEY } from "./rows/money.ts";
import { RESPONSES } from "./rows/responses.ts";
import { TEXTS } from "./rows/texts.ts";

/** Every attack on the suite. */
export const ATTACKS: readonly Attack[] = [
  ...RESPONSES,
  ...FLOODS,
  ...DEPLOYMENTS,
  ...MONEY,
  ...TEXTS,
  ...LOADS,
];
