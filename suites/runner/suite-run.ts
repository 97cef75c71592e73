import type { Target } from "../../fixtures/engine/config/target.ts";
import type { Preflight } from "../../fixtures/engine/run/preflight.ts";
import type { Command } from "../../reports/verdicts/outcome.ts";
import type { Waiver } from "../../reports/verdicts/waivers.ts";
import type { Listed } from "./checklist.ts";
import type { Options } from "./options.ts";
import type { Plan } from "./plan.ts";
import type { RunFolder } from "./run-folder.ts";

/** Everything about one run, once nothing refuses it any more. */
export interface SuiteRun {
  readonly command: Command;
  readonly options: Options;
  readonly target: Target;
  /** The env file or variables of a deployment that `--sandbox` overrides. */
  readonly ignored: readonly string[];
  readonly found: Preflight;
  readonly folder: RunFolder;
  readonly checks: readonly Listed[];
  readonly plan: Plan;
  readonly waivers: readonly Waiver[];
}
