import type { Attack } from "./attack.ts";
import { BLOCKED } from "./rows/blocked.ts";
import { BODIES } from "./rows/bodies.ts";
import { CODINGS } from "./rows/codings.ts";
import { FLOODS } from "./rows/floods.ts";
import { FRAMING } from "./rows/framing.ts";
import { INSTANCES } from "./rows/instances.ts";
import { KILLED } from "./rows/kills.ts";
import { LOAD } from "./rows/load.ts";
import { LOAD_LISTS } from "./rows/load-lists.ts";
import { LOAD_SETTINGS } from "./rows/load-settings.ts";
import { MONEY } from "./rows/money.ts";
import { OUTAGES } from "./rows/outages.ts";
import { SECRETS } from "./rows/secrets.ts";
import { SETTINGS } from "./rows/settings.ts";
import { STATUSES } from "./rows/statuses.ts";
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
  ...KILLED,
  ...BLOCKED,
];
