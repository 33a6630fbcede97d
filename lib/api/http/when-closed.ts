import type { ServerResponse } from "node:http";

/** Aborted when the connection closes before the response has ended. Null without a connection, as in tests. */
export function whenClosed(
  outgoing: Pick<ServerResponse, "once" | "destroyed"> | undefined,
): AbortSignal | null {
  if (!outgoing) return null;
  const closed = new AbortController();
  if (outgoing.destroyed) closed.abort();
  outgoing.once("close", () => closed.abort());
  return closed.signal;
}
