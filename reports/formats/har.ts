import { STATUS_CODES } from "node:http";
import type { Entry, Header, Request, Response } from "har-format";
import { type Exchange, readExchanges } from "../verdicts/exchange.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { inertJson, present } from "../wording.ts";

/** Longer bodies of responses are cut, so that the file stays small enough to send; the evidence has all of them. */
const LONGEST_BODY = 2048;

/**
 * Renders `exchanges.har` (HAR 1.2), which a browser's network panel opens: every exchange of the run, redacted, in the
 * order in which the requests were sent. The comment of an entry is the id of its request.
 */
export function renderHar(directory: string, { suite }: Pick<Verdicts, "suite">): string {
  const entries = readExchanges(directory).map(entryOf);
  const creator = { name: "payments-conformance", version: suite.version };
  // One entry on each line keeps the file small, and a search in it readable.
  const lines = entries.map((entry) => inertJson(entry)).join(",\n");
  return `{"log":{"version":"1.2","creator":${inertJson(creator)},"entries":[\n${lines}\n]}}\n`;
}

function entryOf({ requestId, startedAt, durationMs = 0, request, response, error }: Exchange): Entry {
  return {
    startedDateTime: startedAt ?? new Date(0).toISOString(),
    time: durationMs,
    request: requestOf(request),
    response: responseOf(response, error),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(requestId !== undefined && { comment: requestId }),
  };
}

type Pairs = Exchange["request"]["headers"];

function requestOf({ method, url, headers, body }: Exchange["request"]): Request {
  const type = headerIn(headers, "content-type");
  return {
    method,
    url,
    httpVersion: "HTTP/1.1",
    cookies: [],
    // The evidence also says which header was not sent.
    headers: named(headers.filter(([, value]) => value !== "[ABSENT]")),
    queryString: named([...new URLSearchParams(url.split("?", 2)[1])]),
    ...(body !== "" && { postData: { mimeType: type ?? "", text: body } }),
    headersSize: -1,
    bodySize: Buffer.byteLength(body),
  };
}

/** Without a response, the status is 0, as in the files that browsers write. */
function responseOf(response: Exchange["response"], error: string | undefined): Response {
  const { status = 0, headers = [], body = "", truncated = false } = response ?? {};
  const text = body.slice(0, LONGEST_BODY);
  const isCut = truncated || text.length < body.length;
  const comments = present(isCut && "the body is longer", error);
  return {
    status,
    statusText: STATUS_CODES[status] ?? "",
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: named(headers),
    content: {
      size: Buffer.byteLength(body),
      mimeType: headerIn(headers, "content-type") ?? "x-unknown",
      text,
    },
    redirectURL: headerIn(headers, "location") ?? "",
    headersSize: -1,
    bodySize: Buffer.byteLength(body),
    ...(comments.length > 0 && { comment: comments.join("; ") }),
    ...(error !== undefined && { _error: error }),
  };
}

const named = (pairs: Pairs): Header[] => pairs.map(([name, value]) => ({ name, value }));

const headerIn = (headers: Pairs, wanted: string) =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
