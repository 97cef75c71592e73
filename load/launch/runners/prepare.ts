import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { CommandError } from "../../../reports/command-line/command.ts";
import { formatAmount, plural } from "../../../reports/wording.ts";
import type { K6 } from "../../generator/binary.ts";
import { bundleScripts } from "../../generator/bundle.ts";
import { CONFIG, inherited } from "../../generator/generator.ts";
import { parseJson } from "../../k6/json.ts";
import { OUTCOMES } from "../../k6/outcome.ts";
import type { SendableStep, Settings } from "../../k6/settings.ts";
import type { Entry } from "../../reconcile/journal.ts";
import { readText, writeJson } from "../../results/files.ts";
import type { LoadRun } from "../../results/result.ts";
import type { Tried } from "../afterwards/recovery.ts";
import { begin } from "../beginning.ts";
import type { Execution } from "../execution.ts";
import { describeMoney, loadCalls, sumOfCalls } from "../money-calls.ts";
import { prepareProbes } from "../probes.ts";
import { clientIn } from "../settings.ts";
import { Trial } from "../trials.ts";
import { asciiJson, nameOf, privateFile, renderManifest, runnerSecret, writePrivate } from "./manifest.ts";

/** Throws a {@link CommandError} (2) if a run cannot be sent by so many processes of k6. */
export function requireShareable(
  { target, profile }: Pick<LoadRun, "target" | "profile">,
  runners: number,
): void {
  if (target.embedded)
    throw new CommandError(2, [
      "prepare needs a deployment that the runners can reach: set BASE_URL and SECRET_KEY. Nothing was sent",
    ]);
  if (profile.model === "closed" && runners > 1)
    throw new CommandError(2, [
      `the profile ${profile.name} has three users, who need only one machine: choose another profile. Nothing was sent`,
    ]);
}

/**
 * Does everything that precedes a load that other processes send, and leaves what they need. The ledger holds what they
 * may pay until their logs are merged. Returns what to tell the operator.
 */
export async function prepareRunners(execution: Execution, runners: number): Promise<string> {
  const { target, client, k6, directory, run, references, calls } = execution;
  const probes = await prepareProbes(client, target, references, run.iterations);
  const secret = runnerSecret(execution, runners, probes);
  const script = await bundleScripts(join(directory, "k6"));
  const archive = await packFor("everybody", k6, script, {
    SETTINGS: asciiJson(publicPart(secret.settings)),
  });
  const manifest = renderManifest(execution, runners, archive, secret);
  const { cert, key } = target.tls;
  const SETTINGS = asciiJson({ ...secret.settings, ...(cert && key && { certificate: { cert, key } }) });
  const complete =
    runners === 1 ? await packFor("the owner", k6, script, { ...secret.variables, SETTINGS }) : undefined;
  const { control, tried } = await begin(execution, { handedOver: true });
  writePrepared(directory, { control, tried, payments: calls.length });
  writePrivate(privateFile(run.runId, "yaml"), manifest);
  if (complete) writePrivate(privateFile(run.runId, "tar"), complete);
  return [...shareLines(execution, runners), ...nextLines(execution, runners)].join("\n");
}

/** The options of a run depend on no request, so that nothing secret comes near the archive. */
function publicPart({ probes: _, steps: [first, ...others], ...settings }: Settings): Settings {
  const withoutRequest = (step: SendableStep): SendableStep => ({
    ...step,
    template: { url: "", headers: {}, body: null },
  });
  return { ...settings, steps: [withoutRequest(first), ...others.map(withoutRequest)] };
}

/** k6 hangs on a script that its engine cannot read. */
const MAX_PACKING_MS = 30_000;
const MAX_ARCHIVE_BYTES = 16 * 1024 * 1024;

/** Packs a script and its options as a tar file. Only an archive for the owner holds the variables as well. */
async function packFor(
  reader: "everybody" | "the owner",
  { path }: K6,
  script: string,
  variables: Readonly<Record<string, string>>,
): Promise<Buffer> {
  const hides = reader === "everybody" ? ["--exclude-env-vars"] : [];
  const args = ["archive", "--config", CONFIG, ...hides, "--include-system-env-vars", "-O", "-", script];
  const { stdout } = await promisify(execFile)(path, args, {
    encoding: "buffer",
    timeout: MAX_PACKING_MS,
    maxBuffer: MAX_ARCHIVE_BYTES,
    env: { ...variables, ...inherited(), K6_AUTO_EXTENSION_RESOLUTION: "false" },
  });
  return stdout;
}

/** What each runner may pay: nothing but the payments of its own iterations. */
function shareLines(execution: Execution, runners: number): string[] {
  const { run, references, prepared, calls } = execution;
  if (calls.length === 0) return ["No money will move."];
  const shares = Array.from({ length: runners }, (_, runner) =>
    sumOfCalls(loadCalls(references, prepared, run.iterations, clientIn(execution), { runner, runners })),
  );
  return [
    `The ledger holds ${describeMoney(calls)}, until the logs of the runners are merged:`,
    ...shares.map(
      ({ count, total }, runner) =>
        `  runner ${runner + 1} of ${runners}: at most ${plural(count, "payment")}, ${formatAmount(total)} in total`,
    ),
  ];
}

function nextLines({ directory, run, target, outputs }: Execution, runners: number): string[] {
  const name = nameOf(run.runId);
  const numbers = Array.from({ length: runners }, (_, index) => index + 1).join(" ");
  const manifest = privateFile(run.runId, "yaml");
  const archive = privateFile(run.runId, "tar");
  const { CA_FILE, HTTPS_PROXY } = target.values;
  const unknownToK6 = [
    ...(CA_FILE ? [`SSL_CERT_FILE=${CA_FILE}`] : []),
    ...(HTTPS_PROXY ? ["HTTPS_PROXY"] : []),
  ];
  const alone = [
    `Prepared. ${archive} holds the key: keep it to yourself. Run it once:`,
    ...(unknownToK6.length > 0 ? [`  (set ${unknownToK6.join(" and ")} first: k6 does not read .env)`] : []),
    `  ${["k6 run --log-format raw --console-output", `${name}.log`, ...outputs.args, archive].join(" ")}`,
    `  npm run load -- merge ${directory} ${name}.log`,
    "",
    `Or in a cluster with ${manifest}, which holds the key as well (load/kubernetes/README.md explains each line):`,
  ];
  const cluster = `Prepared. ${manifest} holds the key: keep it to yourself. Next (load/kubernetes/README.md explains each line):`;
  return [
    "",
    ...(runners === 1 ? alone : [cluster]),
    `  kubectl create -f ${manifest}`,
    `  kubectl wait testrun/${name} --for=jsonpath='{.status.stage}'=started --timeout=10m`,
    `  for i in ${numbers}; do kubectl logs --follow job/${name}-$i > ${name}-$i.log & done; wait`,
    `  npm run load -- merge ${directory} ${name}-*.log`,
    "",
    `To give the run up instead: npm run load -- reconcile ${directory}`,
  ];
}

const FILE = "prepared.json";

/** What is known of a run before its runners start, and needed when their logs are merged. */
interface PreparedRun {
  /** What may have moved money before the load. */
  readonly control: readonly Entry[];
  /** What worked before the load, and what did not. */
  readonly tried: Tried;
  /** How many payments the ledger holds for the run. */
  readonly payments: number;
}

const PreparedFile = z.object({
  control: z.array(
    z.object({
      operation: z.string(),
      reference: z.string(),
      outcome: z.enum(OUTCOMES),
      status: z.number(),
      identifier: z.string().nullable(),
    }),
  ),
  tried: z.object({ working: z.array(Trial), failing: z.array(Trial) }),
  payments: z.int(),
}) satisfies z.ZodType<PreparedRun>;

const writePrepared = (directory: string, prepared: PreparedRun) =>
  writeJson(join(directory, FILE), prepared);

/** Reads what {@link prepareRunners} wrote; throws a {@link CommandError} (2) if the run was not prepared. */
export function readPrepared(directory: string): PreparedRun {
  const found = PreparedFile.safeParse(parseJson(readText(join(directory, FILE))));
  if (found.success) return found.data;
  throw new CommandError(2, [
    `${directory} has no ${FILE}: this run was not prepared. After a run that was killed: npm run load -- reconcile ${directory}`,
  ]);
}
