import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { unsuitableVariable } from "../../fixtures/http/findings.ts";
import { handlingOf } from "../../fixtures/http/wording.ts";
import { expectOptionalPartsAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { contract } from "../../schemas/contract.ts";
import { formOf, PIXEL } from "./multipart.ts";

const ID = "createPaymentPage";

check(
  "createPaymentPage/seoImage",
  `accepts ${contract[ID].noun} with a seoImage, or rejects the image with a 4xx`,
  { should: ["R071", "R072"] },
  async (ctx) => {
    const image = await imageOf(ctx);
    const { accepted, notTested } = await controlOf(ctx, ID);
    if (notTested) throw notTested;
    const answer = await ctx.send(ID, { body: { seoImage: image } });
    expectNoCrash(answer, "a seoImage was sent");
    // If the page without an image was rejected too, the image need not be the reason.
    if (accepted || answer.isSuccess) {
      ctx.observe("N29", `a seoImage of type ${image.type} ${handlingOf(answer)}`);
      ctx.observe("N30", `a seoImage of ${sizeOf(image)} ${handlingOf(answer)}`);
    }
    // The specification does not document which files are allowed, so a rejection is only observed.
    if (!accepted || !answer.is4xx) await expectOptionalPartsAccepted(ctx, answer);
  },
);

const FORMS = [
  { name: "file-name-quoted", what: "a file name with quotation marks", disposition: 'filename="a%22b.png"' },
  {
    name: "file-name-utf8",
    what: "a file name in UTF-8 (filename*)",
    disposition: "filename=\"a.png\"; filename*=UTF-8''%E1%BB%8C.png",
  },
  { name: "line-feeds", what: "a form whose lines end with LF alone", newline: "\n" },
] as const;

for (const { name, what, ...form } of FORMS) {
  check(`createPaymentPage/${name}`, `accepts or rejects ${what}`, { observe: "G15" }, async (ctx) => {
    ctx.needProbeWrites();
    const draft = ctx.draft(ID);
    const answer = await sendTolerated(ctx, ID, {}, { draft, ...formOf(draft.body ?? {}, form) });
    ctx.observe("G15", `${what} ${handlingOf(answer)}`);
  });
}

/** The operator's image, or a PNG of one pixel if SEO_IMAGE is not set. */
async function imageOf({ values }: CheckContext): Promise<File> {
  const path = values.SEO_IMAGE;
  if (path === undefined) return new File([PIXEL], "pixel.png", { type: "image/png" });
  const bytes = await readFile(path).catch(() => {
    throw unsuitableVariable("SEO_IMAGE", `a file that can be read: ${path} cannot`);
  });
  const extension = path.split(".").at(-1)?.toLowerCase();
  const type = extension === "jpg" ? "image/jpeg" : `image/${extension}`;
  return new File([new Uint8Array(bytes)], basename(path), { type });
}

const sizeOf = ({ size }: File) => (size < 1024 ? "less than 1 kB" : `${Math.ceil(size / 1024)} kB`);
