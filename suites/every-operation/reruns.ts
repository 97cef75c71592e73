import { lookAgain } from "../../fixtures/engine/run/looks.ts";

// vitest loads this file when the phases before it have ended.
lookAgain();
