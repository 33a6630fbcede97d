import type { WebhookReceiver } from "./webhook-receiver.js";

/** The part of Node's `IncomingMessage` in use, so that this package needs no Node types. */
interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The part of Node's `ServerResponse` in use. */
interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text: string): unknown;
}

/**
 * A receiver for `node:http`, and for Express before any body parser:
 * `createServer(toNodeListener(receive)).listen(8787)`.
 */
export function toNodeListener(
  receive: WebhookReceiver,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const answer = await receive(toFetchRequest(request));
    const headers = Object.fromEntries(answer.headers);
    // Does not wait for the rest of an oversized body.
    if (answer.status === 413) headers.connection = "close";
    response.writeHead(answer.status, headers);
    response.end(await answer.text());
  };
}

/** Only what a receiver reads: no address. */
function toFetchRequest(request: NodeRequest): Request {
  const { method = "GET" } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, typeof value === "string" ? value : value.join(","));
  }
  const body = method === "POST" ? { body: toStream(request), duplex: "half" } : {};
  return new Request("http://localhost/", { method, headers, ...body });
}

/** Without a `cancel`: canceling the request would close the connection before the answer is sent. */
function toStream(request: NodeRequest): ReadableStream<Uint8Array> {
  const iterator = request[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
  });
}
