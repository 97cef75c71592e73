import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { html, type Markup } from "./html.ts";

const Headers = z.array(z.tuple([z.string(), z.string()]));

const Exchange = z.looseObject({
  requestId: z.string().exactOptional(),
  startedAt: z.string().exactOptional(),
  durationMs: z.number().exactOptional(),
  request: z.looseObject({ method: z.string(), url: z.string(), headers: Headers, body: z.string() }),
  response: z
    .looseObject({
      status: z.number(),
      headers: Headers,
      body: z.string(),
      truncated: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  error: z.string().exactOptional(),
});
/** One request and its response, as the file of an exchange has them. */
export type Exchange = z.infer<typeof Exchange>;

/** Longer bodies are cut on a page; the file of the exchange has all of it. */
const LONGEST_BODY = 1200;

/** Reads the exchanges of one run's folder by the paths that its verdicts name. */
export type ExchangeReader = (path: string) => Exchange | undefined;

/** Returns a reader that finds no file outside `directory`, and none that is missing or damaged. */
export function exchangeReader(directory: string): ExchangeReader {
  return (path) => {
    if (!isBelow(path)) return undefined;
    try {
      return Exchange.safeParse(JSON.parse(readFileSync(join(directory, path), "utf8"))).data;
    } catch {
      return undefined;
    }
  };
}

/** Whether a path of a run's folder stays inside it. */
const isBelow = (path: string) => !/^[/\\]|^[a-z]+:|(^|[/\\])\.\.([/\\]|$)/i.test(path);

/** Shows a request and its response as they went over the wire, redacted; `place` says which of several it is. */
export function exchangeView({ request, response, error, durationMs }: Exchange, place = ""): Markup {
  const took = durationMs === undefined ? "" : ` after ${Math.round(durationMs)} ms`;
  return html`<h4>Request${place}</h4>
<pre>${request.method} ${request.url}
${headerLines(request.headers)}${bodyText(request.body)}</pre>
${
  response
    ? html`<h4>Response${took}</h4>
<pre>${response.status}
${headerLines(response.headers)}${bodyText(response.body)}</pre>`
    : html`<h4>No complete response${took}</h4><pre>${error ?? "unknown"}</pre>`
}`;
}

const headerLines = (headers: Exchange["request"]["headers"]) =>
  headers.map(([name, value]) => `${name}: ${value}\n`).join("");

function bodyText(body: string): string {
  if (body === "") return "";
  const rest = body.length - LONGEST_BODY;
  return `\n${body.slice(0, LONGEST_BODY)}${rest > 0 ? `\n… ${rest} more characters in the file` : ""}`;
}

/** Links to the evidence files, which work where the page lies in the folder of its run; the last one has its name. */
export function exchangeLinks(paths: readonly string[]): Markup | undefined {
  const last = paths.at(-1);
  if (last === undefined) return undefined;
  const earlier = paths.slice(0, -1).slice(-MOST_LINKS);
  const skipped = paths.length - 1 - earlier.length;
  const numbers = earlier.map((path, index) => html` ${link(path, `${skipped + index + 1}`)}`);
  return html`${link(last, html`<code>${last}</code>`)}${
    earlier.length > 0 &&
    html`<br><span class="soft">earlier requests of this check:</span>${skipped > 0 && " …"}${numbers}`
  }`;
}

/** A finding links to this many requests before the last one; `verdicts.json` names all of them. */
const MOST_LINKS = 12;

const link = (path: string, text: Markup | string) =>
  isBelow(path) ? html`<a href="./${encodeURI(path)}">${text}</a>` : text;
