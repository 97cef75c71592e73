import { operations } from "../../schemas/contract.ts";
import { facts, html, type Markup, renderPage } from "../pages/page.ts";
import { aboutWarnings, factsOf, targetName, trafficLine } from "../verdicts/headline.ts";
import { requirementResults } from "../verdicts/rules.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { isOpen } from "../verdicts/verdict.ts";
import { plural } from "../wording.ts";
import type { Certificate } from "./certificate.ts";

/** Renders `certificate.html`, which says on two sheets of paper what was proved and what was not, for whom and until when. */
export function renderCertificate(file: Verdicts, certificate: Certificate): string {
  const { title, kind, statement, issuedAt, validUntil, outOfScope } = certificate;
  const day = issuedAt.slice(0, 10);
  return renderPage(
    `${title}: ${targetName(file)}`,
    html`<header>
<p class="kicker">Payments Service External API · payments-conformance</p>
<div class="outcome ${kind === "demonstration" ? "none" : "pass"}">
<h1>${title}</h1>
<p><strong>${targetName(file)}</strong> ${claim(certificate)}</p>
</div>
${disclaimer(certificate)}
</header>
<main>
${facts([
  ...factsOf(file),
  ["Result", statement],
  ["Requests", trafficLine(file)],
  ["Valid until", html`<strong>${validUntil}</strong>`],
])}
${scope(certificate)}
${limits(file, certificate)}
<h2>How to check this certificate</h2>
<p>These are the SHA-256 digests of the run's files. In the run's folder, <code>npm run report -- verify &lt;run folder&gt;</code> derives every verdict again from the log of the run and compares all files with their digests.</p>
${facts(Object.entries(certificate.digests).map(([name, digest]) => [name, html`<span class="id">${digest}</span>`]))}
</main>
<footer><p>A certificate describes the deployment as it was on ${day}. A later release needs a new run.${outOfScope.length > 0 && " It does not cover what is out of scope."}</p></footer>`,
  );
}

function claim({ kind, outOfScope }: Certificate): string {
  if (kind === "environment-separation")
    return "rejects test keys on the live host. Nothing else was tested.";
  const except = outOfScope.length > 0 ? `, except for what is out of scope: ${outOfScope.join(", ")}` : "";
  return `does what the specification of the Payments Service External API requires, as far as requests over HTTP can show${except}.`;
}

const disclaimer = ({ kind }: Certificate): Markup | false =>
  kind === "demonstration" &&
  html`<p class="notice"><strong>Demonstration.</strong> This run tested the embedded sandbox. It certifies no deployment.</p>`;

function scope({ kind, operations: proved, requirements }: Certificate): Markup | false {
  if (kind === "environment-separation") return false;
  return html`<h2>What was proved</h2>
${facts([
  [plural(proved.length, "operation"), proved.join(", ")],
  [plural(requirements.proven.length, "requirement"), ranges(requirements.proven)],
])}`;
}

/** What a reader must not conclude from the certificate. */
function limits({ checks, hardened }: Verdicts, { kind, outOfScope }: Certificate): Markup | false {
  if (kind === "environment-separation") return false;
  const unproved = requirementResults(checks).filter((result) => result.unproved !== undefined);
  const open = checks.filter(isOpen).length;
  return html`<h2>What was not proved</h2>
${facts([
  ["Out of scope", outOfScope.map((name) => wordsFor(name)).join("; ")],
  ["Warnings", aboutWarnings({ checks, hardened })],
  ["Open", open > 0 ? `${plural(open, "check")} below MUST; they do not decide conformance` : undefined],
  ["Load", "not part of this certificate"],
])}
${facts(
  unproved.map(({ id, section, statement, unproved: why }) => [
    `${id}, section ${section}`,
    html`${statement} <span class="soft">Not proved: ${why}</span>`,
  ]),
)}`;
}

/** An operation with its method and path; another scope has only its name. */
function wordsFor(scope: string): string {
  const operation = operations.find(({ id }) => id === scope);
  return operation ? `${scope} (${operation.method} ${operation.route})` : scope;
}

/** Writes ids with the consecutive ones as a range: `R003 to R019, R021`. */
function ranges(ids: readonly string[]): string {
  const numberOf = (id: string | undefined) => Number(id?.slice(1));
  const runs: string[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    if (run && numberOf(run.at(-1)) + 1 === numberOf(id)) run.push(id);
    else runs.push([id]);
  }
  return runs.map((run) => (run.length < 3 ? run.join(", ") : `${run[0]} to ${run.at(-1)}`)).join(", ");
}
