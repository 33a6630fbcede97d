import { validateHostHeader, validateOriginHeader } from "@modelcontextprotocol/server";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Refuses a request that was not meant for this address, or that a page of somebody else sends. A page can have its own
 * host name point to this machine (DNS rebinding) and then reads what it fetches as if it were ours; its `Host` and
 * `Origin` tell.
 * @returns why it is refused, or null. Programs send no `Origin`.
 */
export function checkSender(request: Request, appUrl: string): string | null {
  const hostnames = allowedHostnames(appUrl);
  const host = validateHostHeader(request.headers.get("host"), hostnames);
  if (!host.ok)
    return `The header Host must name ${new URL(appUrl).host}: set APP_URL to the public address.`;
  const origin = validateOriginHeader(request.headers.get("origin"), hostnames);
  return origin.ok ? null : "Pages of other origins may not call this address.";
}

/** On a developer's machine every name of that machine; anywhere else the public one alone. */
function allowedHostnames(appUrl: string): string[] {
  const { hostname } = new URL(appUrl);
  return LOOPBACK.includes(hostname) ? LOOPBACK : [hostname];
}
