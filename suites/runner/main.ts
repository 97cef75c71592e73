import { runCommand } from "../../reports/command-line/command.ts";
import { loadPackagesAsTheyAre, useLittleMemory } from "../../reports/command-line/frugal.ts";

// Some checks stay below 400 MB with it; all of them would take a quarter longer.
if (process.argv.some((word) => /^(-s|--select)/.test(word))) useLittleMemory();
loadPackagesAsTheyAre();
// Loaded afterwards: most of the memory of a run is its code.
const { certify } = await import("./launcher.ts");
await runCommand(() => certify(process.argv[2] === "gate" ? "gate" : "certify"));
