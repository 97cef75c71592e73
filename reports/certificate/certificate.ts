import { operations } from "../../schemas/contract.ts";
import { sha256 } from "../digest.ts";
import { facts, html, type Markup, mono, renderPage } from "../pages/page.ts";
import { aboutWarnings, factsOf, headline, reasonOf, targetName, trafficLine } from "../verdicts/headline.ts";
import { criticalFindings } from "../verdicts/outcome.ts";
import { requirementResults } from "../verdicts/rules.ts";
import type { Verdict, Verdicts } from "../verdicts/verdict.ts";
import { hasVerdict, isCriticalFinding, isOpen, VERDICTS_FILE } from "../verdicts/verdict.ts";
import { capitalised, inertJson, plural } from "../wording.ts";

/** Only a complete run that passed proves enough: a narrowed, open or waived run is never `conformant`. */
const isCertified = ({ outcome, exitCode, selected }: Verdicts): boolean =>
  outcome === "conformant" && exitCode === 0 && !selected;

const KINDS = {
  conformance: "Certificate of conformance",
  demonstration: "Demonstration",
  "environment-separation": "Environment separation only",
} as const;

const DAY = 24 * 3600 * 1000;

type Certificate = ReturnType<typeof certificateOf>;

/** States what a run proved, for which deployment and until when. `verdictsDigest` is the SHA-256 of `verdicts.json`. */
function certificateOf(file: Verdicts, verdictsDigest: string) {
  const { target, suite, seed, command, letter, finishedAt, outOfScope, counts, checks } = file;
  const { pathForms: _, embedded, ...tested } = target;
  const isLive = target.environment === "live";
  const kind = embedded ? "demonstration" : isLive ? "environment-separation" : "conformance";
  const mainDigests = Object.entries(file.digests).filter(([name]) => MAIN_FILES.includes(name));
  const results = requirementResults(checks);
  const passed = checks.filter(({ level, verdict }) => level === "MUST" && verdict === "pass");
  const covered = new Set(passed.map(({ operation }) => operation));
  return {
    schema: "payments-conformance/certificate@1",
    kind,
    title: KINDS[kind],
    statement: `${targetName(file)}: ${headline(file).toLowerCase()}. ${capitalised(reasonOf(file))}.`,
    target: tested,
    issuedAt: finishedAt,
    // The last day, in UTC.
    validUntil: new Date(Date.parse(finishedAt) + file.validDays * DAY).toISOString().slice(0, 10),
    suite,
    seed,
    command,
    letter,
    criticalFindings: checks.filter(isCriticalFinding).map(({ id }) => id),
    operations: operations.map(({ id }) => id).filter((id) => !outOfScope.includes(id) && covered.has(id)),
    outOfScope,
    requirements: {
      proven: results.filter(hasVerdict("pass")).map(({ id }) => id),
      /** No MUST check rests on them: a test over HTTP cannot prove them, or the operator excluded them. */
      notProven: results.flatMap(({ id, statement, unproved: why }) => (why ? [{ id, statement, why }] : [])),
    },
    counts,
    ...(file.traffic && { traffic: file.traffic }),
    digests: { [VERDICTS_FILE]: verdictsDigest, ...Object.fromEntries(mainDigests) },
  };
}

/** The files that a reader of a certificate may also have; `verdicts.json` has the digests of all others. */
const MAIN_FILES = ["events.jsonl", "report.html"];

/**
 * Makes the content of `attestation.json`: an in-toto statement with the test-result predicate, about the files whose
 * digests are given. It is not signed; `cosign attest-blob --statement` signs it.
 */
export function attestationOf(file: Verdicts, subjects: Readonly<Record<string, string>>) {
  const { target, suite, outcome, exitCode, because, outOfScope } = file;
  const isWarned = file.checks.some(hasVerdict("warn"));
  const namesOf = (verdict: Verdict) => file.checks.filter(hasVerdict(verdict)).map(({ id }) => id);
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: Object.entries(subjects).map(([name, digest]) => ({ name, digest: { sha256: digest } })),
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: {
      // A run that is narrowed, open or waived did not fail, but a policy that asks for a pass must not accept it.
      result: !isCertified(file) ? "FAILED" : isWarned ? "WARNED" : "PASSED",
      configuration: [
        {
          name: "payments-conformance",
          uri: `pkg:npm/payments-conformance@${suite.version}`,
          ...(/^[0-9a-f]{40}$/.test(suite.commit) && { digest: { gitCommit: suite.commit } }),
        },
        {
          name: targetName(file),
          uri: target.baseUrl,
          annotations: { environment: target.environment, embedded: target.embedded, outOfScope },
        },
        {
          name: VERDICTS_FILE,
          digest: { sha256: subjects[VERDICTS_FILE] ?? "" },
          annotations: { outcome, exitCode, because, command: file.command, seed: file.seed },
        },
      ],
      passedTests: namesOf("pass"),
      warnedTests: namesOf("warn"),
      failedTests: [...namesOf("fail"), ...namesOf("suite-error")],
    },
  };
}

/** The files that are made from the finished `verdicts.json`. */
export const SEALED = ["certificate.json", "certificate.html", "attestation.json"] as const;

/** The names of the files that {@link sealedFiles} makes for a run. */
export const sealedNames = (file: Verdicts): string[] =>
  SEALED.filter((name) => isCertified(file) || name === "attestation.json");

/** Makes the files that name the digest of `verdicts.json`; a certificate only if the run deserves one. */
export function sealedFiles(file: Verdicts, verdictsJson: string | Buffer): Record<string, string> {
  const digest = sha256(verdictsJson);
  const files: Record<string, string> = {};
  if (isCertified(file)) {
    const certificate = certificateOf(file, digest);
    files["certificate.json"] = json(certificate);
    files["certificate.html"] = renderCertificate(file, certificate);
  }
  const digests = Object.entries(files).map(([name, content]) => [name, sha256(content)]);
  const subjects = { [VERDICTS_FILE]: digest, ...Object.fromEntries(digests) };
  return { ...files, "attestation.json": json(attestationOf(file, subjects)) };
}

const json = (value: unknown) => `${inertJson(value, 2)}\n`;

/** Renders `certificate.html`, which says on two sheets of paper what was proved and what was not, for whom and until when. */
function renderCertificate(file: Verdicts, certificate: Certificate): string {
  const { title, kind, statement, validUntil, outOfScope, operations: proved, requirements } = certificate;
  const { checks } = file;
  const unproved = requirementResults(checks).filter((result) => result.unproved !== undefined);
  const open = checks.filter(isOpen).length;
  return renderPage(
    `${title}: ${targetName(file)}`,
    html`<header>
<p class="kicker">Payments Service External API · payments-conformance</p>
<div class="outcome ${kind === "demonstration" ? "none" : "pass"}">
<h1>${title}</h1>
<p><strong>${targetName(file)}</strong> ${claim(certificate)}</p>
</div>
${kind === "demonstration" && html`<p class="notice"><strong>Demonstration.</strong> This run tested the embedded sandbox. It certifies no deployment.</p>`}
${byTheLetter(certificate)}
</header>
<main>
${facts([
  ...factsOf(file),
  ["Result", statement],
  ["Requests", trafficLine(file)],
  ["Valid until", html`<strong>${validUntil}</strong>`],
])}
${
  kind !== "environment-separation" &&
  html`<h2>What was proved</h2>
${facts([
  [plural(proved.length, "operation"), proved.join(", ")],
  [plural(requirements.proven.length, "requirement"), requirements.proven.join(", ")],
])}
<h2>What was not proved</h2>
${facts([
  ["Out of scope", outOfScope.join(", ")],
  ["Warnings", aboutWarnings(checks)],
  ["Open", open > 0 ? `${plural(open, "check")} below MUST; they do not decide conformance` : undefined],
  ["Load", "not part of this certificate"],
])}
${facts(
  unproved.map(({ id, section, statement, unproved: why }) => [
    `${id}, section ${section}`,
    html`${statement} <span class="soft">Not proved: ${why}</span>`,
  ]),
)}`
}
<h2>How to check this certificate</h2>
<p>These are the SHA-256 digests of the run's files. In the run's folder, <code>npm run report -- verify &lt;run folder&gt;</code> derives every verdict again from the log of the run and compares all files with their digests.</p>
${facts(Object.entries(certificate.digests).map(([name, digest]) => [name, mono(digest)]))}
</main>
<footer><p>A certificate describes the deployment as it was on ${certificate.issuedAt.slice(0, 10)}. A later release needs a new run.</p></footer>`,
  );
}

function claim({ kind, outOfScope }: Certificate): string {
  if (kind === "environment-separation")
    return "rejects test keys on the live host. Nothing else was tested.";
  const except = outOfScope.length > 0 ? `, except for what is out of scope: ${outOfScope.join(", ")}` : "";
  return `does what the specification of the Payments Service External API requires, as far as requests over HTTP can show${except}.`;
}

/** A certificate that critical findings could not prevent says so before anything else. */
const byTheLetter = ({ letter, criticalFindings: found }: Certificate): Markup | false =>
  letter &&
  html`<p class="notice"><strong>Judged by the letter of the specification alone (--letter).</strong> ${
    found.length > 0
      ? `${capitalised(criticalFindings(found.length))} did not count, which would otherwise block a release: ${found.join(", ")}.`
      : "Critical findings would not have counted; there are none."
  }</p>`;
