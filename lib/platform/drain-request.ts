import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "@/lib/platform/error-code";

/** Slower senders are cut off. A phone uploads a few megabytes in this time, and an idle sender holds only a socket. */
const DRAIN_MS = 2_000;

/**
 * Lets the sender finish and discards the rest: a response sent in the middle of an upload is lost with the connection
 * that it closes, and the sender would see a broken pipe instead of the error.
 */
export async function drainRequest(request: IncomingMessage): Promise<void> {
  // A stream without listeners may pause again when earlier listeners are removed.
  request.on("data", drop).resume();
  const end = finished(request).catch((error: unknown) => {
    if (!hasCode(error, "ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE")) throw error;
  });
  await Promise.race([end, pause(DRAIN_MS, undefined, { ref: false })]);
}

function drop(): void {}
