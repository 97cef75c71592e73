import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { buildVerdicts } from "../build-verdicts.ts";
import { readEvents } from "../events/events.ts";
import { readVerdicts, VERDICTS_FILE, type Verdicts } from "../verdicts/run.ts";
import { plural, printable } from "../wording.ts";
import { SEALED, sealedFiles, sha256 } from "./certificate.ts";

/**
 * Derives the verdicts of a run again from its events, compares every file with its digest, and makes certificate and
 * attestation again. Returns one line for each difference; throws a `CommandError` (2) if the run cannot be read.
 */
export function differencesOf(directory: string) {
  const file = readVerdicts(directory);
  const derived = plain(buildVerdicts(readEvents(directory)));
  const differences = [
    ...differentMembers(file, derived),
    ...differentChecks(file, derived),
    ...differentFiles(directory, file),
    ...differentSeals(directory, file),
  ];
  return { file, differences: differences.map(printable) };
}

export const comparedOf = ({ checks, digests }: Pick<Verdicts, "checks" | "digests">): string =>
  `${plural(checks.length, "verdict")}, outcome, counts and exit code, and the digests of ${plural(Object.keys(digests).length, "file")}`;

/** Compares everything but checks, which get a line each, and digests, which events do not contain. */
function differentMembers(file: Verdicts, derived: Verdicts): string[] {
  const members = (value: Verdicts) =>
    new Map(Object.entries(value).filter(([name]) => name !== "checks" && name !== "digests"));
  const found = members(file);
  const expected = members(derived);
  return [...new Set([...found.keys(), ...expected.keys()])]
    .filter((name) => !isDeepStrictEqual(found.get(name), expected.get(name)))
    .map(
      (name) =>
        `${VERDICTS_FILE}: ${name} is ${brief(found.get(name))}, but the events give ${brief(expected.get(name))}`,
    );
}

function differentChecks(file: Verdicts, derived: Verdicts): string[] {
  const found = new Map(file.checks.map((check) => [check.id, check]));
  const expected = new Map(derived.checks.map((check) => [check.id, check]));
  return [...new Set([...expected.keys(), ...found.keys()])].flatMap((id) => {
    const [is, should] = [found.get(id), expected.get(id)];
    if (isDeepStrictEqual(is, should)) return [];
    if (!is) return [`${VERDICTS_FILE}: ${id} is missing; the events say ${should?.verdict}`];
    if (!should) return [`${VERDICTS_FILE}: ${id} is ${is.verdict}, but the events do not contain it`];
    if (is.verdict !== should.verdict)
      return [`${VERDICTS_FILE}: ${id} is ${is.verdict}, but the events say ${should.verdict}`];
    return [`${VERDICTS_FILE}: ${id} differs from the events in something other than its verdict`];
  });
}

function differentFiles(directory: string, { digests, checks }: Verdicts): string[] {
  const unlisted = new Set(
    checks.flatMap(({ exchanges }) => exchanges).filter((path) => digests[path] === undefined),
  );
  return [
    ...Object.entries(digests).flatMap(([path, digest]) => {
      const found = readOptional(join(directory, path));
      if (found && sha256(found) === digest) return [];
      return [found === undefined ? `${path}: is missing` : `${path}: was changed after the run`];
    }),
    ...[...unlisted].map(
      (path) => `${path}: is evidence of a check, but ${VERDICTS_FILE} has no digest of it`,
    ),
  ];
}

function differentSeals(directory: string, file: Verdicts): string[] {
  const expected = sealedFiles(file, readFileSync(join(directory, VERDICTS_FILE)));
  return SEALED.flatMap((name) => {
    const found = readOptional(join(directory, name));
    if (found?.toString() === expected[name]) return [];
    if (expected[name] === undefined) return [`${name}: exists, but this run deserves no certificate`];
    return [
      found === undefined ? `${name}: is missing` : `${name}: differs from what ${VERDICTS_FILE} gives`,
    ];
  });
}

function readOptional(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** What a value is after it was written to a file. */
const plain = (value: Verdicts): Verdicts => JSON.parse(JSON.stringify(value));

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
