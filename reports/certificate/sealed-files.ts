import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../text/digest.ts";
import { inertJson } from "../text/wording.ts";
import { VERDICTS_FILE, type Verdicts } from "../verdicts/run.ts";
import { attestationOf } from "./attestation.ts";
import { certificateOf, isCertified } from "./certificate.ts";
import { renderCertificate } from "./certificate-page.ts";

/** The files that are made from the finished `verdicts.json`. */
export const SEALED = ["certificate.json", "certificate.html", "attestation.json"] as const;

/** Whether a file of a run is made from the finished `verdicts.json`, which therefore cannot name its digest. */
export const isSealed = (path: string): boolean => SEALED.some((name) => name === path);

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
  const subjects = { [VERDICTS_FILE]: digest, ...mapValues(files, sha256) };
  return { ...files, "attestation.json": json(attestationOf(file, subjects)) };
}

/** Writes certificate and attestation beside `verdicts.json`, and removes a certificate that the run does not deserve. */
export async function writeSealedFiles(directory: string, file: Verdicts): Promise<void> {
  const files = sealedFiles(file, readFileSync(join(directory, VERDICTS_FILE)));
  for (const name of SEALED) {
    const content = files[name];
    const path = join(directory, name);
    await (content === undefined ? rm(path, { force: true }) : writeFile(path, content));
  }
}

const json = (value: unknown) => `${inertJson(value, 2)}\n`;

const mapValues = (record: Readonly<Record<string, string>>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
