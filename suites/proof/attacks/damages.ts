import type { Socket } from "node:net";
import type { Damage, Passing } from "./hostile-target.ts";

type Header = readonly [name: string, value: string];

/** What of a response to change; the rest stays as the sandbox gave it. */
export interface Changes {
  /** The whole first line, without its line break. */
  readonly line?: string;
  readonly status?: number;
  readonly body?: string | Buffer | ((body: Buffer) => string | Buffer);
  /** Replace headers of the same name, in any case; `null` removes one. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Added as they are, next to others of the same name. */
  readonly more?: readonly Header[];
  /** Sends these bytes after the head, whatever Content-Length says. */
  readonly raw?: Buffer;
}

export const MB = 1024 * 1024;

/** One chunk of a chunked body; `about` follows its size. */
export const chunk = (text: string, about = "") =>
  `${Buffer.byteLength(text).toString(16)}${about}\r\n${text}\r\n`;

/** Sends another response, whose length is declared correctly unless a header says otherwise, and closes. */
export const respond =
  (changes: Changes | ((passing: Passing) => Changes)): Damage =>
  (passing, connection) =>
    connection.end(bytesOf(typeof changes === "function" ? changes(passing) : changes, passing));

/** The bytes of the sandbox's response with these changes. */
export function bytesOf(changes: Changes, passing: Passing): Buffer {
  const { body: change = passing.body, headers = {}, more = [], raw } = changes;
  const changed = typeof change === "function" ? change(passing.body) : change;
  const body = typeof changed === "string" ? Buffer.from(changed) : changed;
  const replaced = new Set([
    "content-length",
    "connection",
    "keep-alive",
    "transfer-encoding",
    ...Object.keys(headers).map((name) => name.toLowerCase()),
  ]);
  const wanted: Readonly<Record<string, string | null>> = {
    "Content-Length": String(body.length),
    Connection: "close",
    ...headers,
  };
  const all: readonly Header[] = [
    ...passing.headers.filter(([name]) => !replaced.has(name.toLowerCase())),
    ...Object.entries(wanted).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
    ...more,
  ];
  const line = changes.line ?? `HTTP/1.1 ${changes.status ?? passing.status} Whatever`;
  const head = `${line}\r\n${all.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), raw ?? body]);
}

/** Writes the response in pieces of this many bytes, with a pause after each. */
export const slowly =
  (bytes: number, milliseconds: number): Damage =>
  (passing, connection) => {
    const all = bytesOf({}, passing);
    const next = (start: number) => {
      if (connection.destroyed) return;
      if (start >= all.length) return void connection.end();
      connection.write(all.subarray(start, start + bytes));
      setTimeout(next, milliseconds, start + bytes);
    };
    connection.setNoDelay(true);
    next(0);
  };

/** Resets the connection once this much of the response was sent; a negative number counts from its end. */
export const cutAt =
  (place: number): Damage =>
  (passing, connection) => {
    const all = bytesOf({}, passing);
    const reset = () => connection.resetAndDestroy();
    const part = all.subarray(0, place < 0 ? all.length + place : place);
    if (part.length === 0) reset();
    else connection.write(part, () => setTimeout(reset, 20));
  };

/** 50 MB of spaces, compressed: made once, and only if an attack needs it. */
export function bomb(encode: (bytes: Buffer) => Buffer, coding?: string): Damage {
  let made: Buffer | undefined;
  const body = () => {
    made ??= encode(Buffer.alloc(50 * MB, " "));
    return made;
  };
  return respond({ body, headers: coding ? { "Content-Encoding": coding } : {} });
}

/** Writes the same block again and again, as long as the reader takes it. */
export const endless =
  (changes: Changes, block: Buffer): Damage =>
  (passing, connection) => {
    connection.write(bytesOf({ raw: Buffer.alloc(0), ...changes }, passing));
    flood(connection, block);
  };

/** Writes a block for as long as the reader takes it. */
export function flood(connection: Socket, block: Buffer) {
  const pour = () => {
    while (!connection.destroyed && connection.write(block));
  };
  connection.on("drain", pour);
  pour();
}

/** Sends nothing and keeps the connection open. */
export const silence: Damage = () => {};

/** The JSON of a response, changed. */
export const json = (change: (value: Record<string, unknown>) => unknown) => (body: Buffer) =>
  JSON.stringify(change(JSON.parse(body.toString()) as Record<string, unknown>));
