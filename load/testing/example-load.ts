import type { MoneyCall } from "../launch/money-calls.ts";
import type { Prepared } from "../launch/templates.ts";
import type { Entry } from "../reconcile/journal.ts";

const template = { url: "", headers: {}, body: null };

/** The workload `transfers`, each transfer with an amount of 100. */
export const PREPARED_TRANSFERS: Prepared = {
  templates: { createTransfer: template, listTransfers: template },
  stakes: new Map([["createTransfer", 100] as const]),
  missing: [],
};

export const transfersOf100 = (references: readonly string[]): MoneyCall[] =>
  references.map((reference) => ({ operation: "createTransfer", reference, amount: 100 }));

export const answerTo = (
  reference: string,
  outcome: Entry["outcome"],
  identifier: string | null = null,
): Entry => ({ operation: "createTransfer", reference, outcome, status: 200, identifier });
