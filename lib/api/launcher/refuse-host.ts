import type { IncomingMessage, ServerResponse } from "node:http";
import type { TransportName } from "@/lib/api/launcher/transports";
import { isLoopback } from "@/lib/contract/urls";

const MESSAGE = "Use the address of this server, set in APP_URL. It answers to no other name.";

/**
 * Probes use the address of a container or pod. Health reveals only its state; access to the metrics is decided in
 * may-read-metrics.ts.
 */
const BY_ANY_NAME: readonly TransportName[] = ["health", "metrics"];

/**
 * The one list of names that this server answers to, for every transport: the host of the public address, and the
 * names of this machine while that address is local. Otherwise a site whose name points at this machine (DNS
 * rebinding) would share our origin in a visitor's browser, and could read and press anything.
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
    // A request for another name must not share this connection.
    Connection: "close",
  });
  response.end(
    isPage ? `${MESSAGE}\n` : JSON.stringify({ error: { code: "INVALID_PARAMETERS", message: MESSAGE } }),
  );
  return true;
}

/** On any port: ports get forwarded, and only the name identifies the page that asks. */
function isOwnHost(host: string, appUrl: string): boolean {
  const own = new URL(appUrl).hostname;
  const { hostname } = new URL(`http://${host}`);
  return hostname === own || (isLoopback(own) && isLoopback(hostname));
}

/** From the header, and from an absolute address. Invalid hosts are refused elsewhere; browsers always send one. */
function hostsOf({ headers, url = "" }: Pick<IncomingMessage, "headers" | "url">): string[] {
  const ofAddress = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(url)?.[1];
  return [headers.host, ofAddress].filter((host): host is string => host !== undefined && isHost(host));
}

const HOST = /^([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/i;

/** Whether a `Host` header is a host, optionally with a port, as a browser writes it. */
export function isHost(host: string): boolean {
  return HOST.test(host) && URL.canParse(`http://${host}`);
}
