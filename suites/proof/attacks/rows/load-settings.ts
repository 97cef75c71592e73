import type { Attack } from "../attack.ts";

const KEY = ["sk", "live", "0123456789abcdef"].join("_");
const PAYEE = {
  bankCode: "058",
  accountNumber: "0123456789",
  accountName: "Test",
  emailAddress: "qa@example.com",
};
const payee = (change: object) => JSON.stringify({ beneficiaries: [{ ...PAYEE, amount: 1, ...change }] });
const SMOKE = ["transfers", "--profile", "smoke"];
const DEEP = "[".repeat(100_000);

/** Files of an operator that are broken, or that hold what must not be sent. */
const DATA: Readonly<Record<string, readonly [content: string, says: RegExp]>> = {
  deep: [DEEP, /DATA/],
  "deep-in-a-member": [`{"beneficiaries":[{"amount":${DEEP}`, /DATA/],
  empty: ["", /DATA/],
  null: ["null", /DATA/],
  "nul-bytes": ["\0".repeat(4096), /DATA/],
  html: ["<html></html>", /DATA/],
  "amount-negative": [payee({ amount: -1 }), /amount/],
  "amount-beyond-double": [payee({ amount: 1 }).replace('"amount":1', '"amount":1e999'), /amount/],
  "amount-a-list": [payee({ amount: [1] }), /amount/],
  "amount-not-a-number": ["kind,amount\nbeneficiaries,NaN\n", /amount/],
  "escape-sequence-in-a-name": ['{"\u001b[31mbeneficiaries":[]}', /DATA/],
  "name-of-the-prototype": ['{"__proto__":{"beneficiaries":[]}}', /DATA/],
  "live-key": [payee({ accountName: KEY }), /holds a live key/],
  "live-key-in-base64": [payee({ accountName: Buffer.from(KEY).toString("base64") }), /holds a live key/],
  "card-that-is-real": [
    '{"cards":[{"cardNumber":"4539578763621486","expiryMonth":"12","expiryYear":"2030","cvv":"123"}]}',
    /card|DATA/,
  ],
};

/** Mixes and shapes that no load can follow. */
const MIXES: Readonly<Record<string, string>> = {
  deep: DEEP,
  empty: "[]",
  "weight-negative": '[{"operation":"createTransfer","weight":-1}]',
  "weight-zero": '[{"operation":"createTransfer","weight":0}]',
  "weight-beyond-double": '[{"operation":"createTransfer","weight":1e999}]',
  "weight-huge": '[{"operation":"createTransfer","weight":1e300},{"operation":"listTransfers","weight":1}]',
  "operation-unknown": '[{"operation":"__proto__","weight":1}]',
  "creations-ago-negative": '[{"operation":"createTransfer","weight":1,"creationsAgo":-5}]',
  "creations-ago-huge":
    '[{"operation":"createTransfer","weight":1},{"operation":"createTransfer","weight":1,"creationsAgo":1e15}]',
  "refusal-unknown": '[{"operation":"refundTransaction","weight":1,"refusal":"constructor"}]',
};
const SHAPES: Readonly<Record<string, string>> = {
  deep: DEEP,
  "no-stages": '{"stages":[]}',
  "seconds-negative": '{"stages":[{"seconds":-1,"rate":1}]}',
  "seconds-huge": '{"stages":[{"seconds":1e12,"rate":1}]}',
  "seconds-zero": '{"stages":[{"seconds":0,"rate":1}]}',
  "rate-negative": '{"stages":[{"seconds":1,"rate":-1}]}',
  "rate-beyond-double": '{"stages":[{"seconds":1,"rate":1e999}]}',
  "rate-huge": '{"stages":[{"seconds":1,"rate":1e9}]}',
  "rate-zero": '{"stages":[{"seconds":1,"rate":0}]}',
  "stages-a-million": `{"stages":[${Array(1_000_000).fill('{"seconds":0,"rate":1}').join(",")}]}`,
};

const VARIABLES: Readonly<
  Record<string, readonly [variables: Readonly<Record<string, string>>, says: RegExp]>
> = {
  "rate-negative": [{ RATE: "-1" }, /RATE/],
  "rate-infinite": [{ RATE: "Infinity" }, /RATE/],
  "rate-huge": [{ RATE: "1e9" }, /RATE|MAX_PAYOUTS|too long/],
  "duration-negative": [{ DURATION: "-1s" }, /DURATION/],
  "duration-without-unit": [{ DURATION: "soon" }, /DURATION/],
  "duration-of-a-century": [{ DURATION: "1000000h" }, /DURATION|MAX_PAYOUTS|too long/],
  "data-a-folder": [{ DATA: "/tmp" }, /DATA/],
  "data-endless": [{ DATA: "/dev/zero" }, /DATA/],
  "data-missing": [{ DATA: "/nowhere" }, /DATA/],
  "slo-a-folder": [{ SLO: "/tmp" }, /SLO/],
  "slo-endless": [{ SLO: "/dev/zero" }, /SLO/],
  "slo-deep": [{ SLO: "deep.json" }, /SLO/],
  "k6-another-program": [{ K6_PATH: "/bin/true" }, /K6_PATH/],
  "k6-a-folder": [{ K6_PATH: "/tmp" }, /K6_PATH/],
  "k6-endless": [{ K6_PATH: "/usr/bin/yes" }, /K6_PATH/],
  "name-with-an-escape": [{ TARGET_NAME: "\u001b[31mx", RATE: "-1" }, /RATE/],
};

/** Random arrivals that would take for ever to draw, or all memory. */
const AT_RANDOM: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "rate-huge": { RATE: "99999999", DURATION: "10h" },
  "duration-of-a-millennium": { RATE: "1", DURATION: "10000000h" },
};

const refused = (name: string, change: Partial<Attack>): Attack => ({
  name,
  area: 3,
  command: "load",
  args: SMOKE,
  exit: [2, 3],
  seconds: 60,
  ...change,
});

/** Settings and files with which a load must not begin: it ends at once and says what to correct. */
export const LOAD_SETTINGS: readonly Attack[] = [
  ...Object.entries(DATA).map(([name, [content, says]]) =>
    refused(`load-data/${name}`, {
      area: name.startsWith("live") ? 2 : 3,
      variables: { DATA: name === "amount-not-a-number" ? "data.csv" : "data.json" },
      files: { "data.json": content, "data.csv": content },
      says,
    }),
  ),
  ...Object.entries(MIXES).map(([name, content]) =>
    refused(`load-mix/${name}`, {
      args: ["--mix", "mix.json", "--profile", "smoke"],
      files: { "mix.json": content },
      says: /mix/,
    }),
  ),
  refused("load-mix/endless", { args: ["--mix", "/dev/zero", "--profile", "smoke"], says: /mix/ }),
  refused("load-shape/endless", { args: ["transfers", "--shape", "/dev/zero"], says: /shape/ }),
  refused("load-shape/a-folder", { args: ["transfers", "--shape", "/tmp"], says: /shape/ }),
  ...Object.entries(SHAPES).map(([name, content]) =>
    refused(`load-shape/${name}`, {
      args: ["transfers", "--shape", "shape.json"],
      files: { "shape.json": content },
      says: /shape|rate|RATE|MAX_PAYOUTS|too short|too long/,
    }),
  ),
  ...Object.entries(AT_RANDOM).map(([name, variables]) =>
    refused(`load-setting/poisson-${name}`, {
      args: ["transfers", "--profile", "average", "--arrivals", "poisson"],
      variables,
      says: /the run is too long/,
    }),
  ),
  ...Object.entries(VARIABLES).map(([name, [variables, says]]) =>
    refused(`load-setting/${name}`, { variables, files: { "deep.json": DEEP }, says }),
  ),
];
