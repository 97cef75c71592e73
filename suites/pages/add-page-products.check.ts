import { observes, rejects } from "../../fixtures/engine/vocabulary.ts";
import { fieldDefect } from "../../schemas/changes.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { rejectsOtherMerchant } from "../every-operation/authentication/credentials.ts";

rejects(
  "addPageProducts/page-unknown",
  { must: ["R066", "R110"] },
  { ...fieldDefect("pageId", UNKNOWN_ID, "no page has this pageId"), status: 400 },
);

rejectsOtherMerchant("addPageProducts", {
  what: "page and products are another merchant's",
  requirement: "R066",
});

observes("addPageProducts/repeated", "N40", "a second request to add the same products", {});
