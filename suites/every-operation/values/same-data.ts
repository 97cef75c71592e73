import { acceptedRows, inWords, isField, reduce, sendPart } from "../../../fixtures/engine/judge/rows.ts";
import type { Varied } from "../../../fixtures/engine/run/run.ts";
import type { ApiResponse, CheckContext } from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";
import type { OperationId } from "../../../schemas/contract.ts";

/** So often in a row, another instance of the service that knows less is hardly met by chance. */
const TIMES = 5;

/** Demands that no way to ask for something is answered with other data: somebody else's, or what a cache has for others. */
export async function expectSameData(ctx: CheckContext, id: OperationId, before: ApiResponse) {
  const rows: Varied[] = [];
  for (const one of acceptedRows(ctx, id)) {
    const ways = one.row.filter((choice) => !isField(choice));
    // With a filter, it asks for something else.
    if (ways.length > 0) rows.push(ways.length < one.row.length ? await sendPart(ctx, id, ways) : one);
  }
  const ask = () => ctx.send(id, {}, { retry: false, mayBeBusy: true });
  let last = await ask();
  // What the run itself changes meanwhile is not there again, and of two instances in turns, each gets one of two requests.
  const otherIn = async ({ response }: Varied) => {
    const earlier = last;
    const next = await ask();
    last = await ask();
    return otherData(response, [earlier, next, last]);
  };
  for (const one of rows.filter(({ response }) => otherData(response, [before, last]))) {
    const least = await reduce(ctx, one, async (part) => (await otherIn(part)) !== undefined);
    if (!least) continue;
    const { row, response } = least;
    // A cache may know what others asked for earlier, for a while.
    await ctx.run.settling.pause();
    const names: (string | undefined)[] = [];
    for (let time = 0; time < TIMES; time += 1) names.push(await otherIn(await sendPart(ctx, id, row)));
    const [name] = names;
    if (names.includes(undefined)) continue;
    ctx.note(last);
    const message = `returns another ${name} with ${inWords(row)} than to the same request without`;
    ctx.warn(message, { response, others: [last], critical: true });
  }
}

/** The name of a member that has the same values in all ordinary responses, and others in this one. */
function otherData(response: ApiResponse, ordinary: readonly ApiResponse[]): string | undefined {
  if (![response, ...ordinary].every(({ kind, jsonProblem }) => kind === "done" && !jsonProblem))
    return undefined;
  const own = dataIn(response.json);
  const [first = new Map(), ...others] = ordinary.map(({ json }) => dataIn(json));
  return [...first].find(
    ([name, values]) => others.every((other) => other.get(name) === values) && own.get(name) !== values,
  )?.[0];
}

/**
 * What identifies and counts in a body, by the name of its member, in whatever order; texts may be translated. A text beside
 * the data, and the reference of a read, may be about the request as it was written.
 */
function dataIn(json: unknown): Map<string, string> {
  const leaves = (value: unknown, path: readonly string[]): [string, string][] => {
    const name = path.at(-1) ?? "";
    if (typeof value === "object" && value !== null)
      return Object.entries(value).flatMap(([key, inner]) =>
        leaves(inner, Array.isArray(value) ? path : [...path, key]),
      );
    const isOfRequest = path.length < 2 || path.join(".") === "data.reference";
    const isData = typeof value !== "string" || (/^[\w-]*\d[\w-]*$|@/.test(value) && !isOfRequest);
    return isData ? [[name, String(value)]] : [];
  };
  const byName = groupBy(leaves(json, []), ([name]) => name);
  return new Map(
    [...byName].map(([name, found]) => [
      name,
      found
        .map(([, value]) => value)
        .toSorted()
        .join("\n"),
    ]),
  );
}
