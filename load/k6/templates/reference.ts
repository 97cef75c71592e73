const DIGITS = 7;
/** The last numbers are for the references that no iteration has. */
const CONTROL = 10 ** DIGITS - 1;
const UNUSED = 10 ** DIGITS - 2;
const RECOVERY = 10 ** DIGITS - 3;

/** How many iterations of a run can have a reference. */
export const MAX_ITERATIONS = RECOVERY;

/** The forms of REFERENCE_FORM; each has one length, so no reference is part of another. `run` has 8 hexadecimal digits. */
const FORMS = {
  plain: (run: string, number: string) => `load-${run}-${number}`,
  uuid: (run: string, number: string) => `${run}-0000-4000-8000-${number.padStart(12, "0")}`,
  digits: (run: string, number: string) => `${Number.parseInt(run, 16)}`.padStart(10, "0") + number,
  short: (run: string, number: string) => `load${run}${number}`,
} as const;

/** A form of references: see REFERENCE_FORM. */
export type ReferenceForm = keyof typeof FORMS;

/** The references of a run; every possible one is known before the first request. */
export type References = ReturnType<typeof referencesOf>;

/** The references of the run with this id, in a form that the deployment accepts. */
export function referencesOf(runId: string, form: ReferenceForm = "plain") {
  const at = (iteration: number) => FORMS[form](runId, String(iteration).padStart(DIGITS, "0"));
  const control = at(CONTROL);
  return {
    /** The reference that an iteration creates. */
    at,
    /** That of the one transfer that is sent before the load, to see how this deployment lists a payout. */
    control,
    /** One that is never sent, to see what the list returns for a transfer that does not exist. */
    unused: at(UNUSED),
    /** That of the one transfer that is sent after the load, to see whether the API has recovered. */
    recovery: at(RECOVERY),
    /** What all of them begin with; seven digits follow. */
    prefix: control.slice(0, -DIGITS),
  };
}
