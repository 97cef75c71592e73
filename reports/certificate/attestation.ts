import { targetName } from "../verdicts/headline.ts";
import { VERDICTS_FILE, type Verdicts } from "../verdicts/run.ts";
import type { Verdict } from "../verdicts/verdict.ts";
import { isCertified } from "./certificate.ts";

/**
 * Makes the content of `attestation.json`: an in-toto statement with the test-result predicate, about the files whose
 * digests are given. It is not signed; `cosign attest-blob --statement` signs it.
 */
export function attestationOf(file: Verdicts, subjects: Readonly<Record<string, string>>) {
  const { target, suite, outcome, exitCode, because, outOfScope } = file;
  const namesOf = (verdict: Verdict) =>
    file.checks.filter((check) => check.verdict === verdict).map(({ id }) => id);
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: Object.entries(subjects).map(([name, digest]) => ({ name, digest: { sha256: digest } })),
    predicateType: "https://in-toto.io/attestation/test-result/v0.1",
    predicate: {
      result: resultOf(file),
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

/** A run that is narrowed, open or waived did not fail, but a policy that asks for a pass must not accept it. */
function resultOf(file: Verdicts): "PASSED" | "WARNED" | "FAILED" {
  if (!isCertified(file)) return "FAILED";
  return file.checks.some(({ verdict }) => verdict === "warn") ? "WARNED" : "PASSED";
}
