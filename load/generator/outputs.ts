import type { Secret } from "../../fixtures/engine/redaction/secret-search.ts";
import type { Environment } from "../../reports/command-line/command.ts";

/** The outputs of k6 that a run may use, and the prefixes of the variables that configure them. Grafana's cloud is not one of them: it would get the key. */
const OUTPUTS = {
  json: [],
  csv: ["K6_CSV_"],
  "web-dashboard": ["K6_WEB_DASHBOARD_"],
  opentelemetry: ["K6_OTEL_", "OTEL_"],
  "experimental-prometheus-rw": ["K6_PROMETHEUS_RW_"],
  influxdb: ["K6_INFLUXDB_"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type OutputName = keyof typeof OUTPUTS;
export const outputNames = Object.keys(OUTPUTS) as OutputName[];

/** The name of an output as k6 takes it: `json=metrics.json` or `web-dashboard`. */
export const nameOfOutput = (output: string) => output.replace(/=.*$/s, "");

/** The arguments and the variables of k6 for further outputs, and the secrets among them. */
export type OutputConfig = ReturnType<typeof outputConfigOf>;

/** Reads from the environment what configures these outputs. */
export function outputConfigOf(outputs: readonly string[], environment: Environment) {
  const named = outputs.map(nameOfOutput);
  const prefixes = outputNames.flatMap((name) => (named.includes(name) ? [...OUTPUTS[name]] : []));
  const variables = Object.entries(environment).filter(([name]) =>
    prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return {
    args: outputs.flatMap((output) => ["--out", output]),
    environment: {
      // Without a host, k6 shows the dashboard to the whole network.
      K6_WEB_DASHBOARD_HOST: "127.0.0.1",
      ...(Object.fromEntries(variables) as Record<string, string>),
    },
    secrets: variables.flatMap(([name, value = ""]): Secret[] =>
      /PASSWORD|TOKEN|SECRET|HEADERS/.test(name) && value ? [{ name, value }] : [],
    ),
  };
}
