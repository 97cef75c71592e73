import { lookAgain } from "../../fixtures/run/looks.ts";

// vitest loads this file when the phases before it have ended.
lookAgain();
