import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandErrorOf, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { findK6 } from "./binary.ts";

/** A folder with executables that print these texts, as `k6 version` and `go version` do. */
function folderWith(programs: Readonly<Record<string, string>>, body = ""): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(programs)) executable(join(folder, name), text, body);
  return folder;
}

function executable(path: string, text: string, body = "") {
  writeFileSync(path, `#!/bin/sh\nif [ "$1" = version ]; then echo '${text}'; exit; fi\n${body}\n`);
  chmodSync(path, 0o755);
}

const K6 = "k6 v2.1.0 (go1.26.0, linux/amd64)";
const OLD = "k6 v0.57.0 (commit/50afd82c18, go1.23.6, linux/amd64)";
/** A folder where nothing was built. */
const engine = () => temporaryFolder();
const linux = { platform: "linux", arch: "x64" } as const;

describe("findK6", () => {
  it("prefers the k6 that K6_PATH names", async () => {
    const named = join(folderWith({ mine: "k6 v2.3.0 (go1.26.0, linux/amd64)" }), "mine");

    const found = await findK6({ named, searchPath: folderWith({ k6: K6 }), engine: engine() });

    expect(found).toEqual({ path: named, version: "2.3.0" });
  });

  it("rejects a K6_PATH that is not k6 2.0 or later, even if there is another k6", async () => {
    const searchPath = folderWith({ k6: K6 });
    for (const named of ["/nowhere/k6", join(folderWith({ k6: OLD }), "k6")]) {
      const error = await commandErrorOf(() => findK6({ named, searchPath, engine: engine() }));

      expect(error).toMatchObject({ exitCode: 3, problems: [expect.stringContaining(`K6_PATH ${named}`)] });
    }
  });

  it("takes the first k6 2.0 or later on PATH", async () => {
    const [old, recent] = [folderWith({ k6: OLD }), folderWith({ k6: K6 })];

    const found = await findK6({ searchPath: [old, recent].join(delimiter), engine: engine(), ...linux });

    expect(found).toEqual({ path: join(recent, "k6"), version: "2.1.0" });
  });

  it("takes a k6 that was built before", async () => {
    const folder = engine();
    const built = join(folder, "bin", "k6-2.2.0-linux-x64");
    mkdirSync(join(folder, "bin"));
    executable(built, "k6 v2.2.0 (go1.26.0, linux/amd64)");

    expect(await findK6({ searchPath: "", engine: folder, ...linux })).toEqual({
      path: built,
      version: "2.2.0",
    });
  });

  it("builds k6 with a recent Go, says so, and keeps it", async () => {
    const folder = engine();
    const build = `printf '#!/bin/sh\\necho "k6 v2.2.0 (go1.26.0, linux/amd64)"\\n' > "$4" && chmod +x "$4"`;
    const searchPath = folderWith({ go: "go version go1.25.1 linux/amd64" }, build);
    const said: string[] = [];
    const surroundings = { engine: folder, ...linux, progress: (line: string) => said.push(line) };

    const found = await findK6({ searchPath, ...surroundings });
    const again = await findK6({ searchPath: "", ...surroundings });

    expect(found).toEqual({ path: join(folder, "bin", "k6-2.2.0-linux-x64"), version: "2.2.0" });
    expect(again).toEqual(found);
    expect(said).toEqual(["Building k6 2.2.0 with Go; this takes a minute or two, once."]);
  });

  it.each([
    ["linux", "x64", "k6-v2.2.0-linux-amd64.tar.gz"],
    ["linux", "arm64", "k6-v2.2.0-linux-arm64.tar.gz"],
    ["darwin", "arm64", "brew install k6"],
    ["win32", "x64", "winget install k6"],
  ])("says in one line how to install k6 on %s %s", async (platform, arch, how) => {
    const error = await commandErrorOf(() => findK6({ searchPath: "", engine: engine(), platform, arch }));

    expect(error.exitCode).toBe(3);
    expect(error.problems).toEqual([expect.stringContaining(how)]);
    expect(error.message).not.toContain("\n");
  });

  it("does not build with an older Go", async () => {
    const searchPath = folderWith({ go: "go version go1.24.9 linux/amd64" }, "exit 1");

    const error = await commandErrorOf(() => findK6({ searchPath, engine: engine(), ...linux }));

    expect(error.message).toContain("k6 was not found");
  });

  it("says why a build failed, and leaves no file behind", async () => {
    const folder = engine();
    const searchPath = folderWith(
      { go: "go version go1.26.0 linux/amd64" },
      "echo 'go: downloading' >&2; echo 'disk full' >&2; exit 1",
    );

    const error = await commandErrorOf(() => findK6({ searchPath, engine: folder, ...linux }));

    expect(error.problems).toEqual([expect.stringContaining("k6 could not be built (disk full)")]);
    expect((await commandErrorOf(() => findK6({ searchPath: "", engine: folder, ...linux }))).exitCode).toBe(
      3,
    );
  });
});
