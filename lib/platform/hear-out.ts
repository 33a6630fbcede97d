import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "@/lib/platform/error-code";

/** Slower senders are cut off. A phone sends a few megabytes in it, and whoever sends nothing more holds nothing but a socket. */
const HEARD_OUT_MS = 2_000;

/**
 * Lets whoever still sends come to an end, and keeps nothing of it: an answer to somebody who is in the middle of a word
 * is lost with the connection that it closes, and they would read of a broken pipe and not of what was wrong.
 */
export async function hearOut(request: IncomingMessage): Promise<void> {
  // A stream that nobody listens to may stop again when earlier listeners go.
  request.on("data", drop).resume();
  const end = finished(request).catch((error: unknown) => {
    if (!hasCode(error, "ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE")) throw error;
  });
  await Promise.race([end, pause(HEARD_OUT_MS, undefined, { ref: false })]);
}

function drop(): void {}
