import type { Bench } from "../../fixtures/bench.ts";
import { check } from "../../fixtures/test.ts";
import { answersOf } from "./recorded-answers.ts";

check("getProfile/answers/server-headers", { level: "OBSERVE", source: "G09" }, async (bench) => {
  const seen = await headersSeen(bench, /^(server|via|x-(powered-by|aspnet\S*|runtime|generator|version))$/i);
  bench.observe(
    "G09",
    seen.length > 0 ? `answers name their software: ${seen.join("; ")}` : "no header names a software",
  );
});

check("getProfile/answers/request-id", { level: "OBSERVE", source: "G09" }, async (bench) => {
  const answers = await answersOf(bench, "getProfile");
  const names = /^(x-)?(request|correlation|trace)-?id$|^traceparent$/i;
  const found = answers.flatMap(({ headers, requestId }) =>
    headers
      .filter(([name]) => names.test(name))
      .map(
        ([name, value]) => `${name.toLowerCase()} ${value === requestId ? "as it was sent" : "of its own"}`,
      ),
  );
  const distinct = [...new Set(found)].toSorted();
  bench.observe(
    "G09",
    distinct.length > 0 ? `answers carry ${distinct.join(", ")}` : "answers carry no request id",
  );
});

/** Distinct headers of these names in all answers of the run. */
async function headersSeen(bench: Bench, names: RegExp): Promise<string[]> {
  await answersOf(bench, "getProfile");
  const all = [...bench.run.answers.values()].flat().flatMap(({ headers }) => headers);
  const found = all
    .filter(([name]) => names.test(name))
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  return [...new Set(found)].toSorted();
}
