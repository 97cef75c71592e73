import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { findLeaks } from "../../fixtures/engine/redaction/leaks.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { deploy, findingIn, verdictsIn } from "../../fixtures/testing/deployment.ts";
import { exampleTarget } from "../../fixtures/testing/example-target.ts";
import { forward } from "../../fixtures/testing/forward.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { listen } from "../../fixtures/testing/listener.ts";
import { certify } from "./certify.ts";

/** Changes an answer of the sandbox on its way; `false` lets it pass. */
type Damage = (
  path: string,
  answer: Buffer,
  request: { raw: string; status: number },
  out: ServerResponse,
) => boolean;

/** A sandbox behind a proxy that damages answers; ends with the running test. */
async function sandboxBehind(damage: Damage) {
  const { env, sandbox } = await deploy();
  const { url: BASE_URL } = await listen((incoming, outgoing) => {
    forward(sandbox.url, incoming)
      .then(({ answer, sent, response }) => {
        const status = response.statusCode ?? 500;
        if (damage(incoming.url ?? "", answer, { raw: sent, status }, outgoing)) return;
        outgoing.writeHead(status, response.rawHeaders).end(answer);
      })
      // The suite itself cuts some requests off.
      .catch(() => outgoing.destroy());
  });
  return { env: { ...env, BASE_URL }, sandbox };
}

const JSON_TYPE = { "Content-Type": "application/json" };

const BLOCK = Buffer.alloc(1024 * 1024, " ");

/** Writes 100 MiB of spaces, or as many as the reader takes. */
function pour(out: ServerResponse, sent = 0) {
  if (sent < 100 && !out.destroyed) out.write(BLOCK, () => pour(out, sent + 1));
}

/** What replaces a successful answer, by a part of its path. */
const NONSENSE: Readonly<Record<string, (out: ServerResponse, answer: Buffer) => void>> = {
  "/customer-service/": (out) =>
    out.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><p>Please log in</p>"),
  "get-discount-codes": (out) => out.writeHead(200, JSON_TYPE).end(),
  "dispute-details": (out, answer) =>
    out
      .writeHead(200, { ...JSON_TYPE, "Content-Length": answer.length })
      .write(answer.subarray(0, 20), () => out.destroy()),
  "payment-page-get-product": (out) =>
    pour(out.writeHead(200, { ...JSON_TYPE, "Content-Length": 100 * BLOCK.length })),
};

test("nonsense in place of a response fails the checks of one read with a message, or warns of its size", async () => {
  const { env } = await sandboxBehind((path, answer, { status }, out) => {
    const part = Object.keys(NONSENSE).find((name) => path.includes(name));
    if (status !== 200 || part === undefined) return false;
    NONSENSE[part]?.(out, answer);
    return true;
  });
  const ids = ["listCustomers", "listDiscountCodes", "getDispute", "listPageProducts", "listTransfers"];
  const only = ids.map((id) => `${id}/accepted`).join(",");

  const ended = await invoke(certify, ["--select", `${only},listPageProducts/answers/size`], env);

  const file = verdictsIn(ended);
  const accepted = Object.fromEntries(ids.map((id) => [id, findingIn(file, `${id}/accepted`)]));
  expect(ended.code).toBe(1);
  expect(file.outcome).toBe("non-conformant");
  expect(accepted).toMatchObject({
    listCustomers: {
      verdict: "fail",
      message: expect.stringMatching(/returned 200.*HTML page.*Please log in/),
    },
    listDiscountCodes: { verdict: "fail", message: expect.stringMatching(/returned 200.*body is empty/) },
    getDispute: {
      verdict: "fail",
      message: expect.stringMatching(/returned 200, but the response was cut off/),
    },
    listPageProducts: { verdict: "inconclusive", message: expect.stringContaining("4 MiB") },
    listTransfers: { verdict: "pass" },
  });
  expect(findingIn(file, "listPageProducts/answers/size").verdict).toBe("warn");
  expect(ended.stdout).toContain("listCustomers/accepted");
});

test("responses that no parser reads fail one check, which is why the others could not run, and move no money", async () => {
  const { env, sandbox } = await sandboxBehind((_, answer, { status }, out) => {
    out.writeHead(status, JSON_TYPE).end(`${answer.toString()}<!-- 12 ms -->`);
    return true;
  });

  const ended = await invoke(certify, ["--select", "listTransfers/*,createTransfer/*"], env);

  const file = verdictsIn(ended);
  const failed = file.checks.filter(({ verdict }) => verdict === "fail");
  expect(ended.code).toBe(1);
  expect(failed.map(({ id }) => id)).toEqual(["listTransfers/accepted"]);
  expect(failed[0]?.message).toMatch(/returned 200, where the body is not valid JSON/);
  expect(findingIn(file, "createTransfer/accepted")).toMatchObject({
    verdict: "inconclusive",
    blockedBy: "listTransfers/accepted",
  });
  expect(sandbox.log.filter(({ method, status }) => method === "POST" && status === 200)).toEqual([]);
});

test("rejections that echo the request show no secret in any report: as text, as JSON in text, URL-encoded or in base64", async () => {
  const { env } = await sandboxBehind((_, answer, { raw, status }, out) => {
    if (status < 400) return false;
    const body = JSON.parse(answer.toString() || "{}") as object;
    const base64 = Buffer.from(raw).toString("base64");
    out.writeHead(status, { ...JSON_TYPE, "X-Echo": encodeURIComponent(raw).slice(0, 4_000) });
    out.end(JSON.stringify({ ...body, echo: { raw, twice: JSON.stringify({ raw }), base64 } }));
    return true;
  });

  const ended = await invoke(certify, ["--select", "createTransfer/*,createCardTransaction/*"], env);

  const { secrets } = exampleTarget(env);
  expect(verdictsIn(ended).problems).toEqual([]);
  expect(verdictsIn(ended).counts["suite-error"]).toBeUndefined();
  expect(findLeaks(`${ended.folder}/reports/out/latest`, new Redactor(secrets))).toEqual([]);
  for (const { name, value } of secrets.filter((secret) => secret.value.length >= 8)) {
    expect((ended.stdout + ended.stderr).includes(value), name).toBe(false);
  }
  expect(findingIn(verdictsIn(ended), "createTransfer/answers/no-secrets").verdict).toBe("warn");
});
