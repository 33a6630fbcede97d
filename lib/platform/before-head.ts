import type { ServerResponse } from "node:http";

/**
 * Runs `settle` before a response's head is written. Node writes every head through `writeHead`, whichever API sent it,
 * so replacing it also covers what Next writes.
 * @param settle gets the status and returns the one to send
 */
export function beforeHead(response: ServerResponse, settle: (status: number) => number): void {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status: number, ...rest: never[]) => writeHead(settle(status), ...rest);
}
