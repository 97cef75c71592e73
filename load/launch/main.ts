import { load } from "./launcher.ts";

process.exitCode = await load();
