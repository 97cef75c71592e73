import { runCommand } from "../../reports/text/command.ts";
import { load } from "./launcher.ts";

await runCommand(load);
