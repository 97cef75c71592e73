import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { buildVerdicts } from "../build-verdicts.ts";
import { sha256 } from "../digest.ts";
import { readEvents } from "../events/events.ts";
import { readVerdicts, VERDICTS_FILE, type Verdicts } from "../verdicts/run.ts";
import { plural, printable, shorten } from "../wording.ts";
import { SEALED, sealedFiles } from "./certificate.ts";

/**
 * Derives the verdicts of a run again from its events, compares every file with its digest, and makes certificate and
 * attestation again. Returns one line for each difference; throws a `CommandError` (2) if the run cannot be read.
 */
export function differencesOf(directory: string) {
  const file = readVerdicts(directory);
  const differences = [
    ...differentParts(file, buildVerdicts(readEvents(directory))),
    ...differentFiles(directory, file),
  ];
  return { file, differences: differences.map(printable) };
}

export const comparedOf = ({ checks, digests }: Pick<Verdicts, "checks" | "digests">): string =>
  `${plural(checks.length, "verdict")}, outcome, counts and exit code, and the digests of ${plural(Object.keys(digests).length, "file")}`;

/** Compares everything but the digests, which events do not contain. */
function differentParts(file: Verdicts, derived: Verdicts): string[] {
  // What a value is after it was written to a file.
  const [found, expected] = [partsOf(file), partsOf(JSON.parse(JSON.stringify(derived)))];
  return [...new Set([...expected.keys(), ...found.keys()])]
    .filter((name) => !isDeepStrictEqual(found.get(name), expected.get(name)))
    .map((name) => {
      const [is, should] = [brief(found.get(name)), brief(expected.get(name))];
      const difference = is === should ? "differs from what" : `is ${is}, but`;
      return `${VERDICTS_FILE}: ${name} ${difference} the events give${is === should ? "" : ` ${should}`}`;
    });
}

/** The members of the file and its checks, by their names. */
const partsOf = ({ checks, digests: _, ...members }: Verdicts) =>
  new Map<string, unknown>([
    ...Object.entries(members),
    ...checks.map((check) => [check.id, check] as const),
  ]);

/** A value in a few words: of a check its verdict. */
const brief = (value: unknown): string =>
  (value as Partial<Verdicts["checks"][number]> | undefined)?.verdict ??
  shorten(JSON.stringify(value) ?? "missing", 120);

function differentFiles(directory: string, file: Verdicts): string[] {
  const { digests, checks } = file;
  const sealed = sealedFiles(file, readFileSync(join(directory, VERDICTS_FILE)));
  const unlisted = new Set(checks.flatMap(({ exchanges }) => exchanges).filter((path) => !(path in digests)));
  return [
    ...Object.entries(digests).flatMap(([path, digest]) => {
      const found = digestOf(join(directory, path));
      if (found === digest) return [];
      return [`${path}: ${found === undefined ? "is missing" : "was changed after the run"}`];
    }),
    ...[...unlisted].map(
      (path) => `${path}: is evidence of a check, but ${VERDICTS_FILE} has no digest of it`,
    ),
    ...SEALED.flatMap((name) => {
      const [found, content] = [digestOf(join(directory, name)), sealed[name]];
      if (found === (content && sha256(content))) return [];
      if (content === undefined) return [`${name}: exists, but this run deserves no certificate`];
      const difference = found === undefined ? "is missing" : `differs from what ${VERDICTS_FILE} gives`;
      return [`${name}: ${difference}`];
    }),
  ];
}

function digestOf(path: string): string | undefined {
  try {
    return sha256(readFileSync(path));
  } catch {
    return undefined;
  }
}
