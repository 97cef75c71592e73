/** A PNG image of one transparent pixel. */
export const PIXEL = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

interface Form {
  readonly image: Uint8Array;
  /** The file part's parameters after its name. */
  readonly disposition?: string;
  readonly newline?: string;
}

/** Writes a form by hand, for forms that the ordinary encoder does not write. */
export function formOf(
  fields: readonly (readonly [name: string, value: string])[],
  { image, disposition = 'filename="a.png"', newline = "\r\n" }: Form,
): { bytes: Buffer; contentType: string } {
  const boundary = "conformance-form";
  const parts = fields.map(([name, value]) =>
    [`--${boundary}`, `Content-Disposition: form-data; name="${name}"`, "", value, ""].join(newline),
  );
  const file = [
    `--${boundary}`,
    `Content-Disposition: form-data; name="seoImage"; ${disposition}`,
    "Content-Type: image/png",
    "",
    "",
  ].join(newline);
  const end = `${newline}--${boundary}--${newline}`;
  return {
    bytes: Buffer.concat([Buffer.from(parts.join("") + file), Buffer.from(image), Buffer.from(end)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}
