import { operations } from "../../schemas/contract.ts";
import { headline, reasonOf, targetName } from "../verdicts/headline.ts";
import { requirementResults } from "../verdicts/requirement-verdicts.ts";
import { VERDICTS_FILE, type Verdicts } from "../verdicts/run.ts";

/** Only a complete run that passed proves enough: a narrowed, open or waived run is never `conformant`. */
export const isCertified = ({ outcome, exitCode, selected }: Verdicts): boolean =>
  outcome === "conformant" && exitCode === 0 && !selected;

const KINDS = {
  conformance: "Certificate of conformance",
  demonstration: "Demonstration",
  "environment-separation": "Environment separation only",
} as const;
type Kind = keyof typeof KINDS;

/** The content of `certificate.json`; `schema` is the version of its shape. */
export type Certificate = ReturnType<typeof certificateOf>;

/** States what a run proved, for which deployment and until when. `verdictsDigest` is the SHA-256 of `verdicts.json`. */
export function certificateOf(file: Verdicts, verdictsDigest: string) {
  const { target, suite, seed, command, hardened, finishedAt, outOfScope, counts, checks } = file;
  const kind = kindOf(file);
  const results = requirementResults(checks);
  const passed = checks.filter(({ level, verdict }) => level === "MUST" && verdict === "pass");
  const covered = new Set(passed.map(({ operation }) => operation));
  return {
    schema: "payments-conformance/certificate@1",
    kind,
    title: KINDS[kind],
    statement: `${targetName(file)}: ${headline(file).toLowerCase()}. ${sentence(reasonOf(file))}`,
    target: {
      ...(target.name !== undefined && { name: target.name }),
      ...(target.version !== undefined && { version: target.version }),
      baseUrl: target.baseUrl,
      environment: target.environment,
    },
    issuedAt: finishedAt,
    validUntil: daysAfter(finishedAt, file.validDays),
    suite,
    seed,
    command,
    hardened,
    operations: operations.map(({ id }) => id).filter((id) => !outOfScope.includes(id) && covered.has(id)),
    outOfScope,
    requirements: {
      proven: results.filter(({ verdict }) => verdict === "pass").map(({ id }) => id),
      /** No MUST check rests on them: a test over HTTP cannot prove them, or the operator excluded them. */
      notProven: results.flatMap(({ id, statement, unproved: why }) => (why ? [{ id, statement, why }] : [])),
    },
    counts,
    ...(file.traffic && { traffic: file.traffic }),
    digests: { [VERDICTS_FILE]: verdictsDigest, ...mainDigests(file) },
  };
}

function kindOf({ target }: Verdicts): Kind {
  if (target.embedded) return "demonstration";
  return target.environment === "live" ? "environment-separation" : "conformance";
}

/** The files that a reader of a certificate may also have; `verdicts.json` has the digests of all others. */
function mainDigests({ digests }: Verdicts): Record<string, string> {
  const names = ["events.jsonl", "report.html"];
  return Object.fromEntries(
    names.flatMap((name) => (digests[name] === undefined ? [] : [[name, digests[name]]])),
  );
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const DAY = 24 * 3600 * 1000;

/** The last day on which a certificate is valid, in UTC: YYYY-MM-DD. */
const daysAfter = (iso: string, days: number) =>
  new Date(Date.parse(iso) + days * DAY).toISOString().slice(0, 10);
