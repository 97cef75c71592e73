import { type Exchange, isBelow } from "../verdicts/exchange.ts";
import { html, type Markup } from "./html.ts";

/** Longer bodies are cut on a page; the file of the exchange has all of it. */
const LONGEST_BODY = 1200;

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
