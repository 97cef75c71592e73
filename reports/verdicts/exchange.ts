import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The folder of a run's evidence, below the run's folder. */
export const EXCHANGES = "exchanges";

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
export const isBelow = (path: string) => !/^[/\\]|^[a-z]+:|(^|[/\\])\.\.([/\\]|$)/i.test(path);
