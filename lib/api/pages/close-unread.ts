import type { IncomingMessage, ServerResponse } from "node:http";
import { drainRequest } from "@/lib/platform/drain-request";

/**
 * Ends the connection of a request that is answered before its body was read, once its sender has come to an end. What is
 * left of it stands in the way: Next reads on only as far as its buffer, and the next request on that connection would
 * never be answered. Closed at once, it would take the answer with it.
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
  const end = response.end.bind(response);
  response.end = (...rest: never[]) => {
    if (request.complete || request.destroyed) return end(...rest);
    // Whoever was to read it has answered, and would hold back what is still to come.
    request.unpipe().removeAllListeners("data").removeAllListeners("readable");
    drainRequest(request).then(
      () => end(...rest),
      (error: Error) => response.destroy(error),
    );
    return response;
  };
}
