/** A matcher for a pattern in which `*` matches anything. */
export function glob(pattern: string): (text: string) => boolean {
  const source = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const expression = new RegExp(`^${source.join(".*")}$`);
  return (text) => expression.test(text);
}
