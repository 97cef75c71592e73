import type { Attack } from "./attack.ts";
import { BLOCKED } from "./rows/blocked.ts";
import { BREAKPOINTS } from "./rows/breakpoints.ts";
import { INSTANCES } from "./rows/instances.ts";
import { KILLED } from "./rows/kills.ts";
import { LOAD } from "./rows/load.ts";
import { LOAD_LISTS } from "./rows/load-lists.ts";
import { LOAD_RUNS } from "./rows/load-runs.ts";
import { LOAD_SETTINGS } from "./rows/load-settings.ts";
import { MONEY } from "./rows/money.ts";
import { OUTAGES } from "./rows/outages.ts";
import { BODIES } from "./rows/responses/bodies.ts";
import { CODINGS } from "./rows/responses/codings.ts";
import { FLOODS } from "./rows/responses/floods.ts";
import { FRAMING } from "./rows/responses/framing.ts";
import { STATUSES } from "./rows/responses/statuses.ts";
import { SECRETS } from "./rows/secrets.ts";
import { SETTINGS } from "./rows/settings.ts";
import { VENOM } from "./rows/venom.ts";

/** Every attack on the suite. */
export const ATTACKS: readonly Attack[] = [
  ...CODINGS,
  ...FRAMING,
  ...STATUSES,
  ...BODIES,
  ...INSTANCES,
  ...MONEY,
  ...FLOODS,
  ...OUTAGES,
  ...SETTINGS,
  ...SECRETS,
  ...VENOM,
  ...LOAD,
  ...LOAD_LISTS,
  ...LOAD_SETTINGS,
  ...LOAD_RUNS,
  ...BREAKPOINTS,
  ...KILLED,
  ...BLOCKED,
];
