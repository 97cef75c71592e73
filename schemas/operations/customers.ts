import { z } from "zod";
import { ReadEnvelope, ToleratedReadEnvelope } from "../envelope.ts";
import { operation } from "../operation.ts";
import { FIRST_PAGE } from "../recipe.ts";
import { Undocumented } from "../values.ts";

export const getProfile = operation("GET /api/user-service/external/v1/profile", {
  id: "getProfile",
  section: "4.1",
  summary: "Profile",
  noun: "a profile request",
  effect: "read",
  contentType: "none",
  ordinary: {},
  private: true,
  responses: { any: Undocumented },
  success: { status: "2xx" },
  bound: [],
  requirements: { success: ["R001", "R022", "R025", "R100", "R101", "R114"] },
});

export const listCustomers = operation("GET /api/customer-service/external/v1/list", {
  id: "listCustomers",
  section: "4.17",
  summary: "List customers",
  noun: "a customer list request",
  effect: "read",
  contentType: "none",
  query: z.object({
    limit: z.int(),
    page: z.int(),
    search: z.string().optional(),
  }),
  ordinary: FIRST_PAGE,
  private: true,
  freeText: "search",
  responses: { 200: ReadEnvelope, 400: Undocumented },
  tolerated: ToleratedReadEnvelope,
  success: { status: 200 },
  list: { paged: true, search: "search", requirements: { limit: ["R088", "R113"], page: ["R088", "R113"] } },
  bound: [],
  requirements: {
    success: ["R018", "R024", "R088", "R089", "R111"],
    required: ["R088", "R089", "R113"],
    types: ["R088", "R089"],
  },
});
