import { check } from "k6";
import http from "k6/http";
import type { Options } from "k6/options";

/** What `load/bench` compares with: the least that a user of k6 would write to send transfers. */
const { URL = "", HEADERS = "{}", BODY = "", RUN = "", OPTIONS = "{}" } = __ENV;
const headers = JSON.parse(HEADERS) as Record<string, string>;
const [before, after] = BODY.split("{reference}");

export const options = JSON.parse(OPTIONS) as Options;

export default function transfer(): void {
  const response = http.post(URL, `${before}${RUN}-${__VU}-${__ITER}${after}`, { headers });
  check(response, { "the status is 200": ({ status }) => status === 200 });
}
