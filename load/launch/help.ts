import { FLAG } from "../../reports/command-line/define-command.ts";
import type { ProfileName } from "../k6/profiles.ts";
import type { WorkloadName } from "../k6/requests.ts";
import type { EVERYTHING } from "./everything.ts";

/** The options of a load. */
export const OPTIONS = {
  profile: { type: "string", about: "shape of the load, one of those below" },
  mix: { type: "string", about: "JSON file with a workload of your own, instead of its name" },
  out: {
    type: "string",
    default: "reports/out",
    about: "folder for the results of all runs (default: reports/out)",
  },
  "dry-run": { ...FLAG, about: "print what the run would send; send nothing" },
} as const;

/** What the exit codes of a load mean. */
export const EXIT_CODES = {
  0: "passed",
  1: "an invariant or a threshold is broken",
  2: "wrong usage or configuration",
  3: "the preflight failed, or the run is not allowed",
  4: "undecided: k6 was too slow, or the transfer list proved nothing",
  70: "the suite itself failed",
  130: "interrupted",
};

/** What the help of a load shows. */
export const TABLES = {
  Workloads: {
    everything:
      "the default: every operation that your permissions and data allow, and rejections that move no money",
    transactions: "a mix of qr, card, dva and ndd",
    transfers: "transfers, some of them repeated, and lookups of them",
    qr: "QR transactions",
    card: "card transactions",
    dva: "virtual-account requests",
    ndd: "NDD transactions (direct debit)",
    gateway: "business hours: all kinds of transactions, some transfers, and reads",
    readers: "lists only; moves no money",
  } satisfies Readonly<Record<WorkloadName | typeof EVERYTHING, string>>,
  Profiles: {
    smoke: "the highest rate for a few seconds, as a sanity check",
    average: "a constant rate for a minute",
    stress: "up to the highest rate in two steps, and down again",
    spike: "five times the rate for half a minute, then time to recover",
    soak: "a constant rate for an hour",
    breakpoint:
      "a ramp of five minutes up to the highest rate; the result says at which rate the deployment began to throttle or to fail",
  } satisfies Readonly<Record<ProfileName, string>>,
  Variables: {
    RATE: "the highest rate of the profile, in requests per second (default 20; the whole shape is scaled)",
    DURATION: "length of the run (30s, 2m; the whole shape is scaled)",
    DATA: "JSON file of customers, plans and beneficiaries, by operation",
    SLO: "JSON file of service level objectives",
  },
  "Exit codes": EXIT_CODES,
};
