import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
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
const linux = { platform: "linux", arch: "x64" } as const;

/** Looks for k6, by default where nothing was built. */
const find = (surroundings: Parameters<typeof findK6>[0]) =>
  findK6({ searchPath: "", engine: temporaryFolder(), ...linux, ...surroundings });

it("takes the k6 that K6_PATH names, or else the first recent one on PATH, or else one built before", async () => {
  const [old, recent] = [folderWith({ k6: OLD }), folderWith({ k6: K6 })];
  const named = join(folderWith({ mine: "k6 v2.3.0 (go1.26.0, linux/amd64)" }), "mine");
  const engine = folderWith({ "bin/k6-2.2.0-linux-x64": "k6 v2.2.0 (go1.26.0, linux/amd64)" });
  const searchPath = [old, recent].join(delimiter);

  expect(await find({ named, searchPath, engine })).toEqual({ path: named, version: "2.3.0" });
  expect(await find({ searchPath, engine })).toEqual({ path: join(recent, "k6"), version: "2.1.0" });
  expect(await find({ searchPath: old, engine })).toMatchObject({ version: "2.2.0" });
});

it("rejects a K6_PATH that is not k6 2.0 or later, even if there is another k6", async () => {
  const searchPath = folderWith({ k6: K6 });
  for (const named of ["/nowhere/k6", join(folderWith({ k6: OLD }), "k6")]) {
    const error = await commandErrorOf(() => find({ named, searchPath }));

    expect(error).toMatchObject({ exitCode: 3, problems: [expect.stringContaining(`K6_PATH ${named}`)] });
  }
});

it("builds k6 with a recent Go, says so, and keeps it", async () => {
  const engine = temporaryFolder();
  const build = `printf '#!/bin/sh\\necho "k6 v2.2.0 (go1.26.0, linux/amd64)"\\n' > "$4" && chmod +x "$4"`;
  const searchPath = folderWith({ go: "go version go1.25.1 linux/amd64" }, build);
  const said: string[] = [];
  const progress = (line: string) => said.push(line);

  const found = await find({ searchPath, engine, progress });

  expect(found).toEqual({ path: join(engine, "bin", "k6-2.2.0-linux-x64"), version: "2.2.0" });
  expect(await find({ engine, progress })).toEqual(found);
  expect(said).toEqual(["Building k6 2.2.0 with Go; this takes a minute or two, once."]);
});

it.each([
  ["linux", "x64", "k6-v2.2.0-linux-amd64.tar.gz"],
  ["linux", "arm64", "k6-v2.2.0-linux-arm64.tar.gz"],
  ["darwin", "arm64", "brew install k6"],
  ["win32", "x64", "winget install k6"],
])("says in one line how to install k6 on %s %s", async (platform, arch, how) => {
  const { exitCode, problems } = await commandErrorOf(() => find({ platform, arch }));

  expect({ exitCode, problems }).toEqual({ exitCode: 3, problems: [expect.stringContaining(how)] });
  expect(problems[0]).not.toContain("\n");
});

it.each([
  ["go1.24.9", "k6 was not found"],
  ["go1.26.0", "k6 could not be built (disk full)"],
])("leaves no file behind if %s cannot build k6, and says why", async (version, problem) => {
  const engine = temporaryFolder();
  const searchPath = folderWith(
    { go: `go version ${version} linux/amd64` },
    `touch "$4"; echo 'go: downloading' >&2; echo 'disk full' >&2; exit 1`,
  );

  const error = await commandErrorOf(() => find({ searchPath, engine }));

  expect(error.problems).toEqual([expect.stringContaining(problem)]);
  expect(await commandErrorOf(() => find({ engine }))).toMatchObject({ exitCode: 3 });
});
