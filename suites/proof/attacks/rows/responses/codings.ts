import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { answer, chunk } from "../../answers.ts";
import { type Attack, FAILED, PASSED } from "../../attack.ts";

const DECLARED = "gzip x-gzip GZIP deflate br zstd compress gzip,br identity,gzip snappy utf-8".split(" ");

const ENCODERS = {
  gzip: gzipSync,
  deflate: deflateSync,
  "deflate-raw": deflateRawSync,
  br: brotliCompressSync,
} as const;

/** Codings of bodies that are declared and not used, or used and not declared. */
export const CODINGS: readonly Attack[] = [
  ...DECLARED.map(
    (coding): Attack => ({
      name: `coding/${coding.toLowerCase() === coding ? coding : `capital-${coding.toLowerCase()}`}-over-plain-json`,
      area: 1,
      ...(coding === "gzip" && { fast: true }),
      damage: answer({ headers: { "Content-Encoding": coding } }),
      ...FAILED,
    }),
  ),
  ...Object.entries(ENCODERS).flatMap(([name, encode]): Attack[] => [
    {
      name: `coding/${name}-undeclared`,
      area: 1,
      damage: answer({ body: (body) => encode(body) }),
      ...FAILED,
    },
    {
      name: `coding/${name}-cut`,
      area: 1,
      damage: answer({
        body: (body) => encode(body).subarray(0, -10),
        headers: { "Content-Encoding": name.replace("-raw", "") },
      }),
      ...FAILED,
    },
    {
      name: `coding/${name}-declared`,
      area: 4,
      damage: answer({
        body: (body) => encode(body),
        headers: { "Content-Encoding": name.replace("-raw", "") },
      }),
      ...PASSED,
    },
  ]),
  {
    name: "coding/gzip-header-twice-over-gzip-once",
    area: 1,
    damage: answer({
      body: (body) => gzipSync(body),
      more: [
        ["Content-Encoding", "gzip"],
        ["Content-Encoding", "gzip"],
      ],
    }),
    ...FAILED,
  },
  {
    name: "coding/gzip-of-other-bytes",
    area: 1,
    damage: answer({ body: () => gzipSync("no JSON"), headers: { "Content-Encoding": "gzip" } }),
    ...FAILED,
  },
  {
    name: "coding/identity",
    area: 4,
    damage: answer({ headers: { "Content-Encoding": "identity" } }),
    ...PASSED,
  },
  {
    name: "coding/gzip-as-transfer-coding-over-plain-json",
    area: 1,
    damage: (passing, connection) =>
      answer({
        headers: { "Content-Length": null, "Transfer-Encoding": "gzip, chunked" },
        raw: Buffer.from(`${chunk(passing.body.toString())}0\r\n\r\n`),
      })(passing, connection),
    ...FAILED,
  },
];
