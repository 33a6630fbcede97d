import type { IncomingMessage, ServerResponse } from "node:http";
import { isHost } from "@/lib/api/is-host";
import { factsOf } from "@/lib/api/launcher/request-of";
import { newRequestId } from "@/lib/platform/ids";

/**
 * Refuses a request whose `Host` is no host, or whose address is none. The doors that take requests of the web platform
 * cannot even make a `Request` of it, and would answer an empty 400.
 * @returns whether it was refused
 */
export function refuseHead(request: IncomingMessage, response: ServerResponse): boolean {
  const message = problemOf(request);
  if (message === null) return false;
  const requestId = factsOf(request)?.requestId ?? newRequestId();
  response.statusCode = 400;
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Cache-Control", "no-store");
  response.setHeader("X-Request-Id", requestId);
  // What stands behind such a head is as little to be trusted.
  response.setHeader("Connection", "close");
  response.end(JSON.stringify({ error: { code: "INVALID_PARAMETERS", message } }));
  return true;
}

function problemOf({ headers, url = "" }: IncomingMessage): string | null {
  if (headers.host !== undefined && !isHost(headers.host))
    return "Host: must be the name of this server, and its port.";
  // Some read a backslash as a slash and others as a letter: behind a proxy the two would see two addresses.
  const isAddress = !url.split("?", 1)[0]?.includes("\\") && URL.canParse(url, "http://localhost");
  return isAddress ? null : "Path: must be the path of an address, with special characters escaped.";
}
