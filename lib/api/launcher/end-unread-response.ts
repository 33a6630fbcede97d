import type { ServerResponse } from "node:http";

/** Slower than any network that still works: not one byte taken in this time. */
const UNREAD_TIMEOUT_MS = 60_000;

/**
 * Closes the connection of a client that stops reading its response: it would hold the response, and what the response
 * still reads from, forever. A handler that takes longer to begin is not affected.
 */
export function endUnreadResponse(response: ServerResponse, timeoutMs = UNREAD_TIMEOUT_MS): void {
  // Node restarts this timer with every byte that the operating system takes.
  response.setTimeout(timeoutMs, () => {
    const { socket } = response;
    if (socket && response.writableLength + socket.writableLength > 0) socket.destroy();
  });
}
