import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../commands.ts";
import { PROJECT_ROOT } from "../../fixtures/testing/scripts.ts";
import { sourceFiles } from "../../fixtures/testing/source-files.ts";

/** k6 bundles its scripts itself and provides their modules; the other folders hold what only tests import. */
const ELSEWHERE = /^load\/k6\/|\/testing\/|^fixtures\/deployments\/|\.test\.ts$/;

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readFileSync(join(PROJECT_ROOT, "package.json"), "utf8")) as Manifest;

/** Packages that a file needs when it runs; a type is gone by then. */
function packagesIn(file: string): string[] {
  const text = readFileSync(join(PROJECT_ROOT, file), "utf8");
  const statements = text.matchAll(
    /^(?:import|export)\s(?!type\b)[^;"'=(]*?\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...statements]
    .map(([, named, bare, dynamic]) => named ?? bare ?? dynamic ?? "")
    .filter((name) => !/^(\.|node:)/.test(name))
    .map((name) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    );
}

describe("npm ci without the development dependencies", () => {
  test("installs every package that a command needs at run time", () => {
    const files = sourceFiles().filter((file) => !ELSEWHERE.test(file));

    const missing = files.flatMap((file) =>
      packagesIn(file)
        .filter((name) => !(name in manifest.dependencies))
        .map((name) => `${file} needs ${name}`),
    );

    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(packagesIn)).toEqual(expect.arrayContaining(["undici", "zod", "vitest", "hono"]));
    expect(missing).toEqual([]);
  });

  test("installs what the scripts themselves are run by", () => {
    // npx and the bin of tsx would stand between Ctrl-C and the run.
    for (const name of Object.keys(COMMANDS))
      expect(manifest.scripts[name]).toMatch(
        new RegExp(`^node (--max-semi-space-size=4 )?conformance ${name}$`),
      );
    expect(manifest.bin).toEqual({ "payments-conformance": "conformance" });
    expect(manifest.dependencies).toHaveProperty("tsx");
  });

  test("needs no shell of Unix: no builtin, no variable, no loop", () => {
    const unportable = Object.entries(manifest.scripts).filter(([, command]) =>
      /^exec |\$|;|\bfor\b|'|(^|&& )\w+=|\brm\b/.test(command),
    );

    expect(unportable).toEqual([]);
  });
});

describe("the supply chain", () => {
  const { packages } = JSON.parse(readFileSync(join(PROJECT_ROOT, "package-lock.json"), "utf8")) as {
    packages: Readonly<Record<string, { integrity?: string; dev?: boolean; hasInstallScript?: boolean }>>;
  };
  const locked = Object.entries(packages).filter(([path]) => path !== "");

  test("has one version of each package, and the digest of what a command needs on any platform", () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies });
    const needed = locked.filter(([, { dev }]) => !dev);
    const unsealed = needed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));

    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
    expect(unsealed.map(([path]) => path)).toEqual([]);
    expect(needed.filter(([path]) => /@esbuild\/(linux|darwin|win32)-/.test(path)).length).toBeGreaterThan(5);
    expect(locked.flatMap(([path, { hasInstallScript }]) => (hasInstallScript ? [path] : []))).toEqual([
      // It only makes the start of its own command faster.
      "node_modules/esbuild",
    ]);
  });
});
