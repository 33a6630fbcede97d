import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Ends the connection of a request that is answered before its body was read. What is left of it stands in the way: Next
 * reads on only as far as its buffer, and the next request on that connection would never be answered.
 */
export function closeUnread(request: IncomingMessage, response: ServerResponse): void {
  const { "transfer-encoding": encoding, "content-length": length = "0" } = request.headers;
  if (encoding === undefined && Number(length) === 0) return;
  // Node writes every head through it, whoever began to.
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, ...rest: never[]) => {
    if (!request.complete && !response.headersSent) response.setHeader("Connection", "close");
    return writeHead(status, ...rest);
  };
}
