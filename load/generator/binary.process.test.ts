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
const BUILT = `k6-2.2.0-${process.platform}-${process.arch}`;

/** Looks for k6, by default where nothing was built. */
const find = (surroundings: Parameters<typeof findK6>[0]) =>
  findK6({ searchPath: "", engine: temporaryFolder(), ...surroundings });

it("takes the k6 that K6_PATH names, or else the first recent one on PATH, or else one built before", async () => {
  const [old, recent] = [folderWith({ k6: OLD }), folderWith({ k6: K6 })];
  const named = join(folderWith({ mine: "k6 v2.3.0 (go1.26.0, linux/amd64)" }), "mine");
  const engine = folderWith({ [`bin/${BUILT}`]: "k6 v2.2.0 (go1.26.0, linux/amd64)" });
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

  expect(found).toEqual({ path: join(engine, "bin", BUILT), version: "2.2.0" });
  expect(await find({ engine, progress })).toEqual(found);
  expect(said).toEqual(["Building k6 2.2.0 with Go; this takes a minute or two, once."]);
});

it("leaves no file behind if Go cannot build k6, and says in one line why, and how to install it", async () => {
  const engine = temporaryFolder();
  const searchPath = folderWith(
    { go: "go version go1.26.0 linux/amd64" },
    `touch "$4"; echo 'go: downloading' >&2; echo 'disk full' >&2; exit 1`,
  );

  const error = await commandErrorOf(() => find({ searchPath, engine }));

  expect(error.problems).toEqual([
    expect.stringMatching(/^k6 could not be built \(disk full\): install k6 from .*$/),
  ]);
  expect(await commandErrorOf(() => find({ engine }))).toMatchObject({
    exitCode: 3,
    problems: [expect.stringContaining("k6 was not found")],
  });
});
