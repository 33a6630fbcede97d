import type { IncomingMessage, ServerResponse } from "node:http";
import type { TransportName } from "@/lib/api/launcher/transports";
import { isLoopback } from "@/lib/contract/urls";

const MESSAGE = "Use the address of this server: the one in its setting APP_URL. No other name reaches it.";

/**
 * Probes ask by the address of a container or a pod. Health says nothing but its state; who may read the metrics is
 * decided where they are told (may-read-metrics.ts).
 */
const BY_ANY_NAME: readonly TransportName[] = ["health", "metrics"];

/**
 * The one list of names by which this server is reached, for every transport: that of the public address, and the names of
 * this machine while the address is one of them. A site whose name somebody points at this machine (DNS rebinding) would
 * otherwise be our own origin in a visitor's browser, and read and press whatever they can.
 * @returns whether the request was refused
 */
export function refuseHost(
  transport: TransportName,
  request: Pick<IncomingMessage, "headers" | "url">,
  response: ServerResponse,
  appUrl: string,
): boolean {
  if (BY_ANY_NAME.includes(transport) || hostsOf(request).every((host) => isOwnHost(host, appUrl)))
    return false;
  const isPage = transport === "web";
  response.writeHead(421, {
    "Content-Type": isPage ? "text/plain; charset=utf-8" : "application/json",
    "Cache-Control": "no-store",
    // Another name on the same connection is another request.
    Connection: "close",
  });
  response.end(
    isPage ? `${MESSAGE}\n` : JSON.stringify({ error: { code: "INVALID_PARAMETERS", message: MESSAGE } }),
  );
  return true;
}

/** By any port: one may be forwarded to another, and only the name tells whose page asks. */
function isOwnHost(host: string, appUrl: string): boolean {
  const own = new URL(appUrl).hostname;
  const { hostname } = new URL(`http://${host}`);
  return hostname === own || (isLoopback(own) && isLoopback(hostname));
}

/** Of the header, and of an address that is whole. What is no host is refused elsewhere; no browser leaves it out. */
function hostsOf({ headers, url = "" }: Pick<IncomingMessage, "headers" | "url">): string[] {
  const ofAddress = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(url)?.[1];
  return [headers.host, ofAddress].filter((host): host is string => host !== undefined && isHost(host));
}

const HOST = /^([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i;

/** Whether a `Host` header names a host, and maybe its port, as a browser writes it. */
export function isHost(host: string): boolean {
  return HOST.test(host) && URL.canParse(`http://${host}`);
}
