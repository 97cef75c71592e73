import { hash } from "node:crypto";

/** The SHA-256 of a text or of bytes, in hexadecimal. */
export const sha256 = (content: string | Buffer): string => hash("sha256", content);

/** A UUID that is the same for the same text. */
export const uuidOf = (text: string): string =>
  sha256(text).replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/,
    (_, a, b, c, d, e) => `${a}-${b}-4${c}-8${d}-${e}`,
  );
