/** A file of the operator that cannot be used; its message is one line for people (exit code 2). */
export class UnusableFile extends Error {
  override readonly name = "UnusableFile";
}
