import { z } from "zod";
import { ReadEnvelope, Undocumented } from "../bodies.ts";
import { operation } from "../operation.ts";
import { FIRST_PAGE } from "../recipe.ts";

export const getProfile = operation({
  endpoint: "GET /api/user-service/external/v1/profile",
  section: "4.1",
  noun: "a profile request",
  effect: "read",
  ordinary: {},
  private: true,
  responses: { any: Undocumented },
  requirements: { success: ["R001", "R022", "R025", "R100", "R101", "R114"] },
});

export const listCustomers = operation({
  endpoint: "GET /api/customer-service/external/v1/list",
  section: "4.17",
  noun: "a customer list request",
  effect: "read",
  query: z.object({
    limit: z.int(),
    page: z.int(),
    search: z.string().optional(),
  }),
  ordinary: FIRST_PAGE,
  fresh: "search",
  private: true,
  freeText: "search",
  free: { search: "search" },
  responses: { 200: ReadEnvelope, 400: Undocumented },
  list: {
    search: "search",
    at: /name|mail/i,
    known: "CUSTOMER_SEARCH",
    item: "customer",
    paged: { limit: ["R088", "R113"], page: ["R088", "R113"] },
  },
  requirements: {
    success: ["R018", "R024", "R088", "R089", "R111"],
    required: ["R088", "R089", "R113"],
    types: ["R088", "R089"],
  },
});
