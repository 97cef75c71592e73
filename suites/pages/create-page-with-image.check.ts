import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Bench } from "../../fixtures/bench.ts";
import type { Built } from "../../fixtures/build.ts";
import { isStatus4xx, isSuccess } from "../../fixtures/classify.ts";
import { controlOf, judgeOptionalParts } from "../../fixtures/control.ts";
import { NotTested } from "../../fixtures/findings.ts";
import { explore, handlingOf, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { check } from "../../fixtures/test.ts";
import { formOf, PIXEL } from "./multipart.ts";

const ID = "createPaymentPage";

check("createPaymentPage/seoImage", { level: "SHOULD", requirements: ["R071", "R072"] }, async (bench) => {
  const image = await imageOf(bench);
  const { accepted, notTested } = await controlOf(bench, ID);
  if (notTested) throw notTested;
  const answer = await bench.send(ID, { body: { seoImage: image } });
  judgeNoBreakdown(answer, "a seoImage is sent");
  // Where the page without an image is refused as well, the image need not be why.
  if (accepted || isSuccess(answer)) {
    bench.observe("N29", `a seoImage of type ${image.type} ${handlingOf(answer)}`);
    bench.observe("N30", `a seoImage of ${sizeOf(image)} ${handlingOf(answer)}`);
  }
  // Which files are allowed is not shown, so a refusal is only observed.
  if (!accepted || !isStatus4xx(answer)) await judgeOptionalParts(bench, ID, answer);
});

const FORMS = [
  { name: "file-name-quoted", what: "a file name with quotation marks", disposition: 'filename="a%22b.png"' },
  {
    name: "file-name-utf8",
    what: "a file name in UTF-8 (filename*)",
    disposition: "filename=\"a.png\"; filename*=UTF-8''%E1%BB%8C.png",
  },
  { name: "line-feeds", what: "a form whose lines end in LF alone", newline: "\n" },
] as const;

for (const { name, what, ...form } of FORMS) {
  check(`createPaymentPage/${name}`, { level: "OBSERVE", source: "G15" }, async (bench) => {
    bench.needProbeWrites();
    const draft = bench.draft(ID);
    const { bytes, contentType } = formOf(fieldsOf(draft), { image: PIXEL, ...form });
    const answer = await explore(bench, ID, {}, { draft, bytes, contentType });
    bench.observe("G15", `${what} ${isSuccess(answer) ? "is accepted" : handlingOf(answer)}`);
  });
}

const fieldsOf = ({ body }: Built) =>
  Object.entries(body ?? {}).map(([name, value]) => [name, String(value)] as const);

/** The operator's image; without one, a PNG of one pixel. */
async function imageOf({ values }: Bench): Promise<File> {
  const path = values.SEO_IMAGE;
  if (path === undefined) return new File([PIXEL], "pixel.png", { type: "image/png" });
  const bytes = await readFile(path).catch(() => {
    throw new NotTested("variable", `SEO_IMAGE ${path} cannot be read`, ["SEO_IMAGE"]);
  });
  const extension = path.split(".").at(-1)?.toLowerCase();
  const type = extension === "jpg" ? "image/jpeg" : `image/${extension}`;
  return new File([new Uint8Array(bytes)], basename(path), { type });
}

const sizeOf = ({ size }: File) => (size < 1024 ? "less than 1 kB" : `${Math.ceil(size / 1024)} kB`);
