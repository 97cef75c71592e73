import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../commands.ts";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };

describe("npm ci without the development dependencies", () => {
  test("installs what the scripts themselves are run by", () => {
    // npx and the bin of tsx would stand between Ctrl-C and the run.
    for (const name of Object.keys(COMMANDS))
      expect(manifest.scripts).toHaveProperty(
        name,
        expect.stringMatching(new RegExp(`^node (--max-semi-space-size=4 )?conformance\\.js ${name}$`)),
      );
    expect(manifest.bin).toEqual({ "payments-conformance": "conformance.js" });
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
  const { packages } = lock as {
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
