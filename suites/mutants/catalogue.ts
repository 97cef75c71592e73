import type { BadPractice, Fault, Variation } from "../../fixtures/sandbox/points/points.ts";
import type { Listed } from "../runner/checklist.ts";
import { glob } from "../runner/glob.ts";

/** What a sandbox can be started with, or a selection of it. */
export interface Catalogue {
  readonly faults: readonly Fault[];
  readonly badPractices: readonly BadPractice[];
  readonly variations: readonly Variation[];
}

/** The SHOULD checks that must warn about a bad practice. */
export function warningChecks({ warns }: BadPractice, checks: readonly Listed[]): Listed[] {
  const patterns = warns.map(glob);
  return checks.filter(({ id, level }) => level === "SHOULD" && patterns.some((matches) => matches(id)));
}

/** Mistakes in the declarations of faults, bad practices and variations, one line each; needs no sandbox. */
export function proofread(
  { faults, badPractices, variations }: Catalogue,
  checks: readonly Listed[],
): string[] {
  return [
    ...repeated("fault", faults),
    ...repeated("bad practice", badPractices),
    ...repeated("variation", variations),
    ...faults.flatMap((fault) => proofreadFault(fault, checks).map((text) => `fault ${fault.id}: ${text}`)),
    ...badPractices.flatMap((badPractice) =>
      proofreadBadPractice(badPractice, checks).map((text) => `bad practice ${badPractice.id}: ${text}`),
    ),
    ...variations.flatMap((variation) =>
      proofreadVariation(variation, variations, faults).map((text) => `variation ${variation.id}: ${text}`),
    ),
  ];
}

function repeated(kind: string, those: readonly { readonly id: string }[]): string[] {
  const ids = those.map(({ id }) => id);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map(
    (id) => `${kind} ${id}: this id is used twice`,
  );
}

function proofreadFault(
  { caughtBy, requirement, visibleIn, spreads = {} }: Fault,
  checks: readonly Listed[],
): string[] {
  const named = caughtBy.map((id) => ({ id, check: checks.find((check) => check.id === id) }));
  return [
    ...(caughtBy.length === 1 || caughtBy.length === 2
      ? []
      : [`caughtBy has ${caughtBy.length} checks; expected one or two`]),
    ...(visibleIn === undefined || visibleIn > 1
      ? []
      : [`visibleIn is ${visibleIn}; leave it out if every request shows the fault`]),
    ...named.flatMap(({ id, check }) => (check ? [] : [`caughtBy names ${id}, which is not a check`])),
    ...named.flatMap(({ check }) =>
      check && !provesOrRestsOn(check, requirement)
        ? [`${check.id} does not prove ${requirement}, but ${basisOf(check)}`]
        : [],
    ),
    ...named.flatMap(({ check }) =>
      check?.level === "OBSERVE" ? [`${check.id} only observes, so it can never turn red`] : [],
    ),
    ...Object.keys(spreads).flatMap((pattern) =>
      checks.some(({ id }) => glob(pattern)(id)) ? [] : [`spreads to ${pattern}, which is not a check`],
    ),
  ];
}

const provesOrRestsOn = ({ requirements, source }: Listed, requirement: string) =>
  requirements.some((id) => id === requirement) || source?.split(/[,;] */).includes(requirement) === true;

const basisOf = ({ requirements, source, basis }: Listed) =>
  requirements.join(", ") || source || basis || "nothing";

function proofreadBadPractice({ warns, ...badPractice }: BadPractice, checks: readonly Listed[]): string[] {
  return warns.flatMap((pattern) =>
    warningChecks({ ...badPractice, warns: [pattern] }, checks).length > 0
      ? []
      : [`warns of ${pattern}, which is not a SHOULD check`],
  );
}

function proofreadVariation(
  { id, conflicts = [], hides = [], permits }: Variation,
  variations: readonly Variation[],
  faults: readonly Fault[],
): string[] {
  return [
    ...conflicts.flatMap((other) =>
      other !== id && variations.some((variation) => variation.id === other)
        ? []
        : [`conflicts with ${other}, which is not another variation`],
    ),
    ...hides.flatMap((pattern) =>
      faults.some((fault) => glob(pattern)(fault.id)) ? [] : [`hides ${pattern}, which is not a fault`],
    ),
    ...(/\b[NG]\d\d\b|\bA\d\d\b|\bsection \d|\bRFC \d/.test(permits)
      ? []
      : [`"${permits}" names no open item, section or RFC that permits it`]),
  ];
}
