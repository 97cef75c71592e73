import { type ApiResponse, type CheckContext, scalars } from "../../fixtures/engine/vocabulary.ts";

const ID = "initializeVirtualAccount";

/** The first request without a reference; for another address than the control's, since an address may have one open account. */
export const responseWithoutReference = (ctx: CheckContext): Promise<ApiResponse> =>
  ctx.once(`${ID}/reference-omitted`, () => {
    const [, email] = ctx.values.VIRTUAL_ACCOUNT_EMAILS ?? [];
    const body = { reference: undefined, ...(email !== undefined && { email }) };
    return ctx.send(ID, { body }, { mayBeBusy: true });
  });

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
