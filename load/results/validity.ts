import { plural } from "../../reports/wording.ts";
import { countOf, outcomesIn } from "./measurements.ts";
import { DEFAULT_LIMIT, FEWEST, type Summary, type Validity } from "./result.ts";

/** With a longer schedule lag, the latencies are the generator's, not the target's. */
const MAX_LAG_MS = 20;
/** The share of iterations that a valid run may drop because no virtual user was free. */
const MAX_DROPPED = 0.001;

/** Says whether the latencies are the target's own: only if iterations started on time. */
export function validityOf(measured: Summary | undefined): Validity {
  if (!measured) return "valid";
  const { iterations, dropped, scheduleLagMs: lag } = measured;
  if (shortageIn(measured) || lag > MAX_LAG_MS) return "generator-limited";
  return dropped > (iterations + dropped) * MAX_DROPPED ? "target-limited" : "valid";
}

/** What to do if the machine of k6 could not send more of the requests than may fail by default. */
function shortageIn({ operations }: Pick<Summary, "operations">) {
  const outcomes = outcomesIn({ operations });
  const [all, { unsent = 0 }] = [countOf(outcomes), outcomes];
  if (unsent < FEWEST || unsent <= all * DEFAULT_LIMIT) return undefined;
  return {
    why: `k6 could not send ${unsent} of ${plural(all, "request")}, because its machine had no free port or file descriptor, or did not reach its name server or network`,
    remedy:
      "let the deployment and what is in front of it keep connections open (no Connection: close), give this machine more ports (net.ipv4.ip_local_port_range) and descriptors (ulimit -n 65536), check its network, lower RATE, or use several machines",
  };
}

/** Says why the latencies of a run that is limited by its generator are not the target's, and what to do. */
export function lateness(measured: Summary | undefined) {
  const shortage = measured && shortageIn(measured);
  if (shortage) return shortage;
  const late = `schedule lag ${Math.round(measured?.scheduleLagMs ?? 0)} ms`;
  return {
    why: `this machine was too busy or too slow for this rate, so k6 started requests too late (${late})`,
    remedy: "repeat the run on a less busy or larger machine, lower RATE, or use several machines",
  };
}
