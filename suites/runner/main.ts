import { certify } from "./launcher.ts";

process.exitCode = await certify(process.argv[2] === "gate" ? "gate" : "certify");
