import { liveKeySearch } from "./live-key-search.ts";

/** Whether a text shows a live key. */
export const holdsLiveKey = liveKeySearch((text) => Buffer.from(text, "base64").toString("latin1"));

/** What to do about a live key in these places. */
export const liveKeyIn = (places: readonly string[]): string =>
  `${places.join(", ")} holds a live key (sk_live_ or pk_live_): remove it, this suite only takes test keys. Nothing was sent`;
