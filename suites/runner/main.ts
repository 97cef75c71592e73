import { runCommand } from "../../reports/text/command.ts";
import { useLittleMemory } from "../../reports/text/frugal.ts";

useLittleMemory();
// Loaded afterwards: most of the memory of a run is its code.
const { certify } = await import("./launcher.ts");
await runCommand(() => certify(process.argv[2] === "gate" ? "gate" : "certify"));
