import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { exampleSettings } from "../testing/example-load.ts";
import { runK6 } from "./generator.ts";

/** Takes 300 MB, as k6 does with responses that do not end, and would run for a minute. */
const GREEDY = `#!${process.execPath}
const taken = Buffer.alloc(300e6, 1);
setTimeout(() => taken, 60_000);
`;

test.skipIf(process.platform !== "linux")("k6 is killed when it takes more memory than it may", async () => {
  const directory = temporaryFolder();
  const path = join(directory, "greedy");
  writeFileSync(path, GREEDY);
  chmodSync(path, 0o700);

  const ending = await runK6({
    k6: { path, version: "0" },
    directory,
    settings: exampleSettings("transfers", "smoke"),
    pools: {},
    environment: {},
    redactor: new Redactor([]),
    mostMemoryMb: 200,
    signal: new AbortController().signal,
  });

  expect(ending).toMatchObject({
    code: null,
    killedBecause: expect.stringMatching(/^k6 took \d+ MB of memory, and this machine can spare 200 MB: /),
  });
});
