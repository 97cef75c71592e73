import { expectNotCut } from "../../fixtures/engine/judge/expect-accepted.ts";
import { mayBeChanged } from "../../fixtures/engine/run/diagnosis.ts";
import { type ApiResponse, type CheckContext, scalars, undecided } from "../../fixtures/engine/vocabulary.ts";

const ID = "initializeVirtualAccount";

/** The first request without a reference; for another address than the control's, since an address may have one open account. */
export const responseWithoutReference = (ctx: CheckContext): Promise<ApiResponse> =>
  ctx.once(`${ID}/reference-omitted`, () => {
    const [, email] = ctx.values.VIRTUAL_ACCOUNT_EMAILS ?? [];
    const body = { reference: undefined, ...(email !== undefined && { email }) };
    return ctx.send(ID, { body }, { mayBeBusy: true });
  });

/** The response to the ordinary request, which has a reference; throws `Inconclusive` if none of its forms was accepted. */
export async function responseWithReference(ctx: CheckContext): Promise<ApiResponse> {
  const { response, notTested, diagnosis } = await ctx.control(ID);
  if (!response) throw notTested;
  if (diagnosis) expectNotCut(diagnosis);
  if (response.bodySent.reference !== undefined) return response;
  undecided("a reference is rejected in each of its forms", { advice: "check REFERENCE_FORM" });
}

/** Throws `Inconclusive` if a request without a reference may have been rejected for another reason. */
export async function needReferenceAsReason(ctx: CheckContext, response: ApiResponse) {
  if (!mayBeChanged(response)) return;
  const names = response.namedFields;
  const advice = "check VIRTUAL_ACCOUNT_EMAILS, EMAIL_ADDRESS and DVA_AMOUNT";
  if (names.length > 0 && !names.includes("reference"))
    undecided(`${response.outcome}, and the response names ${names.join(", ")}: ${advice}`);
  const { email } = response.bodySent;
  const again = await ctx.send(ID, { body: { email } });
  if (again.kind !== "done") undecided(`${response.outcome}, and by now also with a reference: ${advice}`);
}

/** More than a service usually has workers, which may all generate references of their own. */
export const AT_ONCE = 5;

/** Finds what may be account numbers in undocumented data: values of ten digits (NUBAN) or more. */
export const accountsIn = (data: unknown) => valuesIn(data, (_, value) => /^\d{10,}$/.test(value));

/** Finds the reference of the payment in undocumented data; references of customers and banks have other names. */
export const referencesIn = (data: unknown) =>
  valuesIn(
    data,
    (path, value) => value !== "" && /(^|\.)((payment|transaction|tx)_?)?(reference|ref)$/i.test(path),
  );

function valuesIn(data: unknown, isMeant: (path: string, value: string) => boolean): Set<string> {
  const all = [data].flat().flatMap((item: unknown) => scalars(item));
  return new Set(all.flatMap(([path, value]) => (isMeant(path, String(value)) ? [String(value)] : [])));
}
