import type { Attack } from "../attack.ts";

const KEY = ["sk", "live", "0123456789abcdef"].join("_");
const json = (text: string) =>
  [...text].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`).join("");
const percent = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");

/** A live key in a setting, as it is or written differently. */
const HIDDEN: Readonly<Record<string, Partial<Attack>>> = {
  plain: { variables: { ACCOUNT_NAME: KEY } },
  "with-another-name": { variables: { TARGET_VERSION: KEY } },
  "in-json": { variables: { SUBSCRIPTION_UPDATE: JSON.stringify({ planName: KEY }) } },
  "in-escaped-json": { variables: { SUBSCRIPTION_UPDATE: `{"planName":"${json(KEY)}"}` } },
  "in-a-url": { variables: { REDIRECT_LINK: `https://example.com/?key=${encodeURIComponent(KEY)}` } },
  "in-an-encoded-url": { variables: { REDIRECT_LINK: `https://example.com/?key=${percent(KEY)}` } },
  "in-base64": { variables: { ACCOUNT_NAME: Buffer.from(KEY).toString("base64") } },
  "in-basic-credentials": {
    variables: { EXTRA_HEADERS: `{"X-Auth":"Basic ${Buffer.from(`${KEY}:`).toString("base64")}"}` },
  },
  "in-capitals": { variables: { ACCOUNT_NAME: KEY.toUpperCase() } },
  "in-the-seed": { args: ["--seed", KEY] },
  "in-the-selection": { args: ["--select", KEY] },
  "in-the-env-file": { files: { ".env": `# ${KEY}\n` } },
  "in-the-image": {
    variables: { SEO_IMAGE: "image.png" },
    files: { "image.png": `\x89PNG\r\n tEXt ${KEY} IEND` },
  },
  "in-base64-in-the-image": {
    variables: { SEO_IMAGE: "image.png" },
    files: { "image.png": `\x89PNG\r\n tEXt ${Buffer.from(KEY).toString("base64")} IEND` },
  },
  "in-the-waivers": {
    variables: { WAIVERS: "waivers.json" },
    files: { "waivers.json": `[{"reason":"${KEY}"}]` },
  },
};

/** Hosts that look live. */
const HOSTS =
  "live.example.com live2.example.com prod1.example.com liveapi.example.com api_live.example.com api-prod.example.com production.example.com LIVE.example.com pay-live-eu.example.com prd.example.com".split(
    " ",
  );

/** Settings that are broken; each ends at once with a line that names the variable. */
const BROKEN: Readonly<
  Record<string, readonly [variables: Readonly<Record<string, string | undefined>>, says: RegExp]>
> = {
  "timeout-a-fraction": [{ REQUEST_TIMEOUT_MS: "1500.5" }, /REQUEST_TIMEOUT_MS/],
  "timeout-zero": [{ REQUEST_TIMEOUT_MS: "0" }, /REQUEST_TIMEOUT_MS/],
  "timeout-infinite": [{ REQUEST_TIMEOUT_MS: "Infinity" }, /REQUEST_TIMEOUT_MS/],
  "timeout-in-hex": [{ REQUEST_TIMEOUT_MS: "0x10" }, /REQUEST_TIMEOUT_MS/],
  "rate-negative": [{ RATE_LIMIT: "-1" }, /RATE_LIMIT/],
  "rate-not-a-number": [{ RATE_LIMIT: "NaN" }, /RATE_LIMIT/],
  "caps-missing": [{ MAX_PAYOUTS: undefined }, /MAX_PAYOUTS/],
  "caps-empty": [{ MAX_PAYOUTS: "" }, /MAX_PAYOUTS/],
  "caps-infinite": [{ MAX_PAYOUT_TOTAL: "Infinity" }, /MAX_PAYOUT_TOTAL/],
  "caps-beyond-double": [{ MAX_PAYOUTS: "1e999" }, /MAX_PAYOUTS/],
  "key-missing": [{ SECRET_KEY: undefined }, /SECRET_KEY/],
  "key-empty": [{ SECRET_KEY: "" }, /SECRET_KEY/],
  "key-with-a-line-break": [{ SECRET_KEY: "sk_test_0123456789\nX-Odd: 1" }, /SECRET_KEY/],
  "key-of-another-service": [{ SECRET_KEY: "AKIAIOSFODNN7EXAMPLE" }, /SECRET_KEY/],
  "key-file-a-folder": [{ SECRET_KEY: undefined, SECRET_KEY_FILE: "/tmp" }, /SECRET_KEY_FILE/],
  "key-file-endless": [{ SECRET_KEY: undefined, SECRET_KEY_FILE: "/dev/zero" }, /SECRET_KEY_FILE/],
  "key-file-missing": [{ SECRET_KEY: undefined, SECRET_KEY_FILE: "/nowhere" }, /SECRET_KEY_FILE/],
  "image-a-folder": [{ SEO_IMAGE: "/tmp" }, /SEO_IMAGE/],
  "image-a-device": [{ SEO_IMAGE: "/dev/zero" }, /SEO_IMAGE/],
  "authority-no-pem": [{ CA_FILE: "waivers.json" }, /CA_FILE/],
  "certificate-no-pem": [
    { CLIENT_CERT_FILE: "waivers.json", CLIENT_KEY_FILE: "waivers.json" },
    /CLIENT_(CERT|KEY)_FILE/,
  ],
  "headers-no-json": [{ EXTRA_HEADERS: "{" }, /EXTRA_HEADERS/],
  "headers-with-a-line-break": [{ EXTRA_HEADERS: '{"X":"a\\r\\nY: b"}' }, /EXTRA_HEADERS/],
  "headers-that-replace-the-key": [{ EXTRA_HEADERS: '{"Authorization":"Bearer x"}' }, /EXTRA_HEADERS/],
  "pointers-no-json": [{ LIST_POINTERS: "nonsense" }, /LIST_POINTERS/],
  "update-deep": [{ SUBSCRIPTION_UPDATE: `${"[".repeat(100_000)}` }, /SUBSCRIPTION_UPDATE/],
  "update-an-array": [{ SUBSCRIPTION_UPDATE: "[]" }, /SUBSCRIPTION_UPDATE/],
  "address-no-url": [{ BASE_URL: "nonsense" }, /BASE_URL/],
  "address-of-a-file": [{ BASE_URL: "file:///etc/passwd" }, /BASE_URL/],
  "address-with-a-password": [{ BASE_URL: "http://user:password@127.0.0.1:9" }, /BASE_URL/],
  "address-with-a-query": [{ BASE_URL: "http://127.0.0.1:9/?x=1" }, /BASE_URL/],
  "address-with-a-fragment": [{ BASE_URL: "http://127.0.0.1:9/#x" }, /BASE_URL/],
  "address-with-escapes": [{ BASE_URL: "http://127.0.0.1:9/\u001b[31m" }, /BASE_URL|127/],
  "port-beyond-16-bits": [{ BASE_URL: "http://127.0.0.1:99999" }, /BASE_URL/],
  "scope-unknown": [{ OUT_OF_SCOPE: "everything" }, /OUT_OF_SCOPE/],
  "scope-with-an-escape": [{ OUT_OF_SCOPE: "\u001b[31mx" }, /OUT_OF_SCOPE/],
  "waivers-with-an-escape": [{ WAIVERS: "evil.json" }, /WAIVERS|waiver|evil/],
  "certificates-unchecked": [{ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, /NODE_TLS_REJECT_UNAUTHORIZED/],
  "ledger-in-a-file": [{ LEDGER_DIR: "waivers.json" }, /LEDGER_DIR|ledger/],
  "name-with-an-escape": [{ TARGET_NAME: "\u001b[31mx", REQUEST_TIMEOUT_MS: "0" }, /REQUEST_TIMEOUT_MS/],
};

/** Env files that an editor or a shell damaged. */
const ENV_FILES: Readonly<Record<string, string>> = {
  "quote-not-closed": 'BASE_URL="http://127.0.0.1:9\nSECRET_KEY=sk_test_0123456789abcdef\n',
  "line-without-equals": "BASE_URL http://127.0.0.1:9\n",
  "name-misspelt": "BASEURL=http://127.0.0.1:9\n",
  "nul-bytes": "BASE_URL=\0\0\0\n",
  "utf-16": Buffer.from("\ufeffBASE_URL=http://127.0.0.1:9\n", "utf16le").toString("latin1"),
  binary: "\x7fELF\x02\x01\x01\0\0\0",
  html: "<html>Not found</html>",
  "escape-sequence-in-a-name": "\u001b[31mBASE_URL=x\n",
};

/** The command refuses these before it sends anything. */
export const SETTINGS: readonly Attack[] = [
  ...Object.entries(HIDDEN).map(
    ([name, more]): Attack => ({
      name: `live-key/${name}`,
      area: 2,
      ...(name === "in-escaped-json" && { fast: true }),
      ...more,
      exit: [3],
      says: /holds a live key/,
    }),
  ),
  ...HOSTS.map(
    (host): Attack => ({
      name: `live-host/${host.replace(".example.com", "")}`,
      area: 2,
      variables: { BASE_URL: `https://${host}`, LIVE_BASE_URL: undefined },
      exit: [3],
      says: /looks like a live host/,
    }),
  ),
  ...Object.entries({
    path: ["https://pay.example.com/v1", "https://pay.example.com"],
    port: ["https://pay.example.com:8443", "https://pay.example.com"],
    scheme: ["http://pay.example.com", "https://pay.example.com"],
    capitals: ["https://PAY.example.com", "https://pay.example.com"],
    "final-dot": ["https://pay.example.com.", "https://pay.example.com"],
    "name-of-this-machine": ["http://localhost:9", "http://127.0.0.1:9"],
    "address-of-this-machine": ["http://[::1]:9", "http://127.0.0.1:9"],
  }).map(
    ([name, [BASE_URL, LIVE_BASE_URL]]): Attack => ({
      name: `live-target/same-but-for-its-${name}`,
      area: 2,
      variables: { BASE_URL, LIVE_BASE_URL },
      exit: [3],
      says: /BASE_URL and LIVE_BASE_URL name the same host/,
    }),
  ),
  ...Object.entries(BROKEN).map(
    ([name, [variables, says]]): Attack => ({
      name: `setting/${name}`,
      area: 3,
      ...(name === "key-with-a-line-break" && { fast: true }),
      variables,
      files: {
        "waivers.json": "[]",
        "evil.json": '[{"check":"\\u001b[31m","reason":"x","owner":"y","expires":"2020-01-01"}]',
      },
      exit: [2, 3, 5],
      says,
      seconds: 60,
    }),
  ),
  ...Object.entries(ENV_FILES).map(
    ([name, content]): Attack => ({
      name: `env-file/${name}`,
      area: 3,
      bare: true,
      files: { ".env": content },
      exit: [2],
      seconds: 60,
    }),
  ),
];
