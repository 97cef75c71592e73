import { type IncomingMessage, request } from "node:http";

/** Passes a request on to another server; returns its body, the response and the body of that. */
export async function forward(url: string, incoming: IncomingMessage) {
  const body = await bytesOf(incoming);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const { method = "GET", rawHeaders } = incoming;
    request(url + incoming.url, { method, headers: rawHeaders as never, agent: false })
      .on("response", resolve)
      .on("error", reject)
      .end(body);
  });
  /** Headers and body of the request as text. */
  const sent = [incoming.rawHeaders.join(": "), body.toString()].join(" ");
  return { sent, response, answer: await bytesOf(response) };
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
