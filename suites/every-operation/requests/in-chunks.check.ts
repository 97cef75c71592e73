import { checksIn, demandNotDone, undecided } from "../../../fixtures/engine/vocabulary.ts";
import { operations, routedApart } from "../../../schemas/contract.ts";
import { rejectedRequests } from "../../../schemas/probes.ts";
import { responseToDefect } from "../requests.ts";
import { sendInChunks } from "./rejections.ts";

const check = checksIn("probes");

// A service that takes a body without a length for none may validate nothing, and carry nothing out (RFC 9112, section 6).
for (const operation of routedApart(operations.filter(({ body }) => body))) {
  const { id, noun } = operation;
  const refused = [...rejectedRequests(operation), ...operation.bound].find(({ change }) => change.body);
  if (!refused) continue;
  const title = `refuses ${noun} with a mistake when its body comes in chunks, too`;
  check(`${id}/rejections/in-chunks`, title, { critical: "practice" }, async (ctx) => {
    const usual = await responseToDefect(ctx, id, refused);
    if (usual.kind === "done") undecided(`${usual.outcome} although ${refused.what}`);
    const response = await sendInChunks(ctx, id, refused);
    demandNotDone(response, `${refused.what}, and its body comes in chunks`);
  });
}
