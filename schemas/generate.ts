import { writeGenerated } from "./generated.ts";
import { openApiDocument } from "./openapi.ts";

const document = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
writeGenerated(new URL("openapi.json", import.meta.url), document);
