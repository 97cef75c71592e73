import { XMLParser, XMLValidator } from "fast-xml-parser";
import { z } from "zod";

const count = z.string().regex(/^\d+$/);
const time = z.string().regex(/^\d+\.\d+$/);
const counts = { name: z.string(), tests: count, failures: count, errors: count, time };
const Result = z.strictObject({
  message: z.string(),
  type: z.string().optional(),
  "#text": z.string().optional(),
});

/**
 * The part of the JUnit format that junit-10.xsd of Jenkins' xUnit plugin allows and this suite uses. That schema knows no
 * properties below a case, and no number of skipped cases above a suite. GitLab reads the same elements of a case, and
 * needs its name and classname.
 */
const Junit = z.strictObject({
  ...counts,
  testsuite: z
    .array(
      z.strictObject({
        ...counts,
        skipped: count,
        timestamp: z.iso.datetime(),
        testcase: z.array(
          z.strictObject({
            name: z.string(),
            classname: z.string(),
            time,
            skipped: z.tuple([Result]).optional(),
            error: z.tuple([Result]).optional(),
            failure: z.tuple([Result]).optional(),
            "system-out": z.tuple([z.string()]).optional(),
          }),
        ),
      }),
    )
    .default([]),
});

const parser = new XMLParser({
  ignoreAttributes: false,
  ignoreDeclaration: true,
  attributeNamePrefix: "",
  parseTagValue: false,
  isArray: (name, _path, _isLeaf, isAttribute) => !isAttribute && name !== "testsuites",
});

/** Every character that XML 1.0 forbids, which the parser accepts. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/** Reads `junit.xml`; throws if it is not well formed, or has what its readers do not know. For tests. */
export function readJunit(xml: string) {
  const valid = XMLValidator.validate(xml);
  if (valid !== true || ILLEGAL.test(xml)) throw new Error(`not XML: ${JSON.stringify(valid)}`);
  return z.strictObject({ testsuites: Junit }).parse(parser.parse(xml)).testsuites;
}
