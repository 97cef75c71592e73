import { isOutOfScope } from "../../fixtures/engine/config/target.ts";
import { READS } from "../../fixtures/engine/health/health.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import type { ApiResponse } from "../../fixtures/engine/http/response.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { tryK6 } from "../generator/generator.ts";
import type { Read } from "../k6/requests.ts";
import { type Line, readLine } from "../results/recording/lines.ts";
import type { ReadyRun } from "./plan.ts";
import { authorityFile, environmentOf, settingsOf } from "./run.ts";
import { readFrom } from "./templates.ts";

/** A read that needs no data, for k6, and what sends it from this process; without one in scope, the base URL alone. */
export async function readOf(
  client: Client,
): Promise<{ readonly template: Read; readonly send?: () => Promise<ApiResponse> }> {
  const { builder, target } = client;
  const read = READS.find(({ id }) => !isOutOfScope(target, id));
  if (!read) return { template: { url: target.baseUrl, headers: {} } };
  const { request, send } = await client.prepare(read.id, builder.build(read.id), "reach");
  return { template: readFrom(request), send };
}

/** Has k6, which finds its way by rules of its own, send one read first; throws a {@link CommandError} (3) that says what differs. */
export async function requireReach(ready: ReadyRun): Promise<void> {
  const { client, redactor, k6 } = ready;
  const { template, send } = await readOf(client);
  const own = await send?.();
  const settings = { ...settingsOf(ready, undefined), reach: template };
  const log = await tryK6({ ...ready, settings, environment: environmentOf(client.target) });
  const reached = log.map(readLine).find((line) => line?.kind === "reach");
  const why = reached
    ? differenceOf(reached, own, client)
    : `k6 ${k6.version} (${k6.path}) did not run: ${log.join("; ") || "it printed nothing"}`;
  if (why !== undefined)
    throw new CommandError(3, [`${redactor.text(why)}. No load was sent, and nothing was paid`]);
}

/** Says what k6 gets that this process does not; `undefined` if both get the same. */
function differenceOf(
  { status, errorCode, error }: Extract<Line, { kind: "reach" }>,
  own: ApiResponse | undefined,
  { target }: Client,
) {
  const { baseUrl } = target;
  const isBlocked = (status >= 300 && status < 429) || (status > 429 && status < 500);
  if (isBlocked && own?.kind === "done")
    return `${baseUrl} answers k6 with ${status} where it answers this command with ${own.status}: let what is in front of the deployment accept k6 (its User-Agent, its TLS, its address)`;
  if (status > 0) return undefined;
  if (errorCode >= 1100 && errorCode < 1200)
    return `k6 cannot resolve the name in ${baseUrl}, although this command can (${error}): enter it in /etc/hosts or in the name server of this machine, or set BASE_URL to its address`;
  return `k6 cannot reach ${baseUrl}, although this command can: ${error}. ${remedyFor(error, authorityFile(target))}`;
}

function remedyFor(error: string, authorities: string | undefined): string {
  if (!/x509|certificate|authority/.test(error))
    return "Compare how both get there: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and the address, since k6 takes an IPv4 address if the name has one; where only IPv6 is served, set BASE_URL to that address, such as http://[::1]:8080";
  if (process.platform === "darwin" || process.platform === "win32")
    return "k6 trusts what the system trusts: add the authority there";
  return authorities === undefined
    ? "k6 trusts what the system trusts: set CA_FILE to a file with the certificate of the authority, or install it in the system (package ca-certificates)"
    : `k6 gets the authorities in ${authorities}: add the missing one there`;
}
