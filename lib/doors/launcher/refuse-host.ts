import type { IncomingMessage, ServerResponse } from "node:http";
import { isHost } from "@/lib/doors/is-host";
import { factsOf } from "@/lib/doors/launcher/request-of";
import { newRequestId } from "@/lib/platform/ids";

/**
 * Refuses a request whose `Host` is no host. The doors that take requests of the web platform cannot even make an
 * address of it, and would answer an empty 400.
 * @returns whether it was refused
 */
export function refuseHost(request: IncomingMessage, response: ServerResponse): boolean {
  const { host } = request.headers;
  if (host === undefined || isHost(host)) return false;
  const requestId = factsOf(request)?.requestId ?? newRequestId();
  const error = {
    code: "INVALID_PARAMETERS",
    message: "Host: must be the name of this server, and its port.",
  };
  response.statusCode = 400;
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("X-Request-Id", requestId);
  // What stands behind such a head is as little to be trusted.
  response.setHeader("Connection", "close");
  response.end(JSON.stringify({ error }));
  return true;
}
