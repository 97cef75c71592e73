import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { buildVerdicts } from "../build-verdicts.ts";
import { readJsonFile } from "../command-line/json-file.ts";
import { sha256 } from "../digest.ts";
import { readEvents } from "../events/events.ts";
import { VERDICTS_FILE, type Verdicts } from "../verdicts/verdict.ts";
import { printable } from "../wording.ts";
import { SEALED, sealedFiles } from "./certificate.ts";

/** What is read of a `verdicts.json`; whatever else it says is compared with what the events give. */
const Written = z.looseObject({
  checks: z.array(z.looseObject({ id: z.string() })),
  digests: z.record(z.string(), z.string()),
});

/**
 * Derives the verdicts of a run again from its events, compares every file with its digest, and makes certificate and
 * attestation again. Returns one line for each difference; throws a `CommandError` (2) if the run cannot be read.
 */
export function differencesOf(directory: string) {
  const file = readJsonFile("", join(directory, VERDICTS_FILE), Written, "name the folder of a finished run");
  const verdicts = buildVerdicts(readEvents(directory));
  const differences = [
    ...differentParts(file, verdicts),
    ...differentFiles(directory, { ...verdicts, digests: file.digests }),
  ];
  return { file, differences: differences.map(printable) };
}

type Written = z.infer<typeof Written>;

/** Compares everything but the digests, which events do not contain. */
function differentParts(file: Written, derived: Verdicts): string[] {
  // What a value is after it was written to a file.
  const [found, expected] = [partsOf(file), partsOf(JSON.parse(JSON.stringify(derived)))];
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((name) => !isDeepStrictEqual(found.get(name), expected.get(name)))
    .map((name) => `${VERDICTS_FILE}: ${name} is not what the events give`);
}

const partsOf = ({ checks, digests: _, ...members }: Written) =>
  new Map<string, unknown>([
    ...Object.entries(members),
    ...checks.map((check) => [check.id, check] as const),
  ]);

/** Compares every file with its digest; certificate and attestation are made again for theirs. */
function differentFiles(directory: string, file: Verdicts): string[] {
  const sealed = Object.entries(sealedFiles(file, readFileSync(join(directory, VERDICTS_FILE))));
  const digests: Verdicts["digests"] = {
    ...file.digests,
    ...Object.fromEntries(sealed.map(([name, content]) => [name, sha256(content)])),
  };
  const evidence = new Set(file.checks.flatMap(({ exchanges }) => exchanges));
  return [...new Set([...Object.keys(digests), ...evidence, ...SEALED])].flatMap((path) => {
    const [found, digest] = [digestOf(join(directory, path)), digests[path]];
    if (digest === undefined)
      return found !== undefined || evidence.has(path)
        ? [`${path}: ${VERDICTS_FILE} does not vouch for it`]
        : [];
    if (found === undefined) return [`${path}: is missing`];
    return found === digest ? [] : [`${path}: was changed after the run`];
  });
}

function digestOf(path: string): string | undefined {
  try {
    return sha256(readFileSync(path));
  } catch {
    return undefined;
  }
}
