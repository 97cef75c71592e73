import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { commandErrorOf, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { findK6 } from "./binary.ts";

/** A folder with executables that print these texts, as `k6 version` and `go version` do. */
function folderWith(programs: Readonly<Record<string, string>>, body = ""): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(programs)) {
    const script = `#!/bin/sh\nif [ "$1" = version ]; then echo '${text}'; exit; fi\n${body}\n`;
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), script);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

const K6 = "k6 v2.1.0 (go1.26.0, linux/amd64)";
const OLD = "k6 v0.57.0 (commit/50afd82c18, go1.23.6, linux/amd64)";
const BUILT = `k6-2.2.0-${process.platform}-${process.arch}`;
const TOOLS = "/usr/bin:/bin";

/** Looks for k6 where only these programs are installed, by default none, and where nothing was built. */
function find({ path = temporaryFolder(), ...given }: Parameters<typeof findK6>[0] & { path?: string }) {
  vi.stubEnv("PATH", `${path}:${TOOLS}`);
  return findK6({ engine: temporaryFolder(), ...given });
}

afterEach(() => void vi.unstubAllEnvs());

it("takes the k6 that K6_PATH names, or else a recent one on PATH, or else one built before", async () => {
  const named = join(folderWith({ mine: "k6 v2.3.0 (go1.26.0, linux/amd64)" }), "mine");
  const engine = folderWith({ [`bin/${BUILT}`]: "k6 v2.2.0 (go1.26.0, linux/amd64)" });
  const [old, recent] = [folderWith({ k6: OLD }), folderWith({ k6: K6 })];

  expect(await find({ named, path: recent, engine })).toEqual({ path: named, version: "2.3.0" });
  expect(await find({ path: recent, engine })).toEqual({ path: "k6", version: "2.1.0" });
  expect(await find({ path: old, engine })).toMatchObject({ version: "2.2.0" });
});

it("rejects a K6_PATH that is not k6 2.0 or later, even if there is another k6", async () => {
  for (const named of ["/nowhere/k6", join(folderWith({ k6: OLD }), "k6")]) {
    const error = await commandErrorOf(() => find({ named, path: folderWith({ k6: K6 }) }));

    expect(error).toMatchObject({ exitCode: 3, problems: [expect.stringContaining(`K6_PATH ${named}`)] });
  }
});

it("builds k6 with Go, says so, and keeps it", async () => {
  const engine = temporaryFolder();
  const build = `printf '#!/bin/sh\\necho "k6 v2.2.0 (go1.26.0, linux/amd64)"\\n' > "$4" && chmod +x "$4"`;
  const path = folderWith({ go: "go version go1.25.1 linux/amd64" }, build);
  const said: string[] = [];
  const progress = (line: string) => said.push(line);

  const found = await find({ path, engine, progress });

  expect(found).toEqual({ path: join(engine, "bin", BUILT), version: "2.2.0" });
  expect(await find({ engine, progress })).toEqual(found);
  expect(said).toEqual(["Building k6 2.2.0 with Go; this takes a minute or two, once."]);
});

it("leaves no file behind if Go cannot build k6, and says in one line why, and how to install it", async () => {
  const path = folderWith(
    { go: "go version go1.26.0 linux/amd64" },
    `touch "$4"; echo 'go: downloading' >&2; echo 'disk full' >&2; exit 1`,
  );

  expect(await commandErrorOf(() => find({ path }))).toMatchObject({
    problems: [expect.stringMatching(/^k6 could not be built \(disk full\): install k6 from .*$/)],
  });
  expect(await commandErrorOf(() => find({}))).toMatchObject({
    exitCode: 3,
    problems: [expect.stringContaining("k6 was not found")],
  });
});
