import { isShortened, ownIdOf } from "../../../fixtures/engine/lists/items.ts";
import { pathInRecord, scalars } from "../../../fixtures/engine/vocabulary.ts";

/** Whether an item shows all that it has behind a mask. */
export const isMasked = (item: unknown) => scalars(item).every(([, value]) => isShortened(String(value)));

/** Whether a recipient shows an identifier of its own. */
export const showsRecipientId = (item: unknown) =>
  ownIdOf(item) !== undefined ||
  scalars(item).some(([path]) => /^recipient_?(id|uuid)$/i.test(pathInRecord(path)));
