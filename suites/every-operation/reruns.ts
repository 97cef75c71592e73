import { rerunPostponed } from "../../fixtures/engine/run/check.ts";

// vitest loads this file when the phases before it have ended.
rerunPostponed();
