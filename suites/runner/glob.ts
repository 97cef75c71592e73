/** A matcher for text in which `*` stands for anything. */
export function glob(pattern: string): (text: string) => boolean {
  const source = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const expression = new RegExp(`^${source.join(".*")}$`);
  return (text) => expression.test(text);
}
