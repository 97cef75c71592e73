import { runCommand } from "../../reports/text/command.ts";
import { certify } from "./launcher.ts";

await runCommand(() => certify(process.argv[2] === "gate" ? "gate" : "certify"));
