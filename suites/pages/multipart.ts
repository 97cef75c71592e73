/** A PNG image of one transparent pixel. */
export const PIXEL = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

/**
 * Writes a form with an image by hand, as the ordinary encoder does not write it; `disposition` holds the parameters
 * of the image's part after its name.
 */
export function formOf(
  fields: Readonly<Record<string, unknown>>,
  { disposition = 'filename="a.png"', newline = "\r\n" },
) {
  const boundary = "conformance-form";
  const part = (parameters: string, ...rest: readonly string[]) =>
    [`--${boundary}`, `Content-Disposition: form-data; ${parameters}`, ...rest].join(newline);
  const texts = Object.entries(fields).map(([name, value]) => part(`name="${name}"`, "", String(value), ""));
  const image = part(`name="seoImage"; ${disposition}`, "Content-Type: image/png", "", "");
  const end = `${newline}--${boundary}--${newline}`;
  return {
    bytes: Buffer.concat([Buffer.from(texts.join("") + image), PIXEL, Buffer.from(end)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
