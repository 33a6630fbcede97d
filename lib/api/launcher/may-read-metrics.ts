import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { isLoopback } from "@/lib/contract/urls";

/** `uniqueLocal` and `linkLocal` are the IPv6 ranges. */
const PRIVATE_RANGES: readonly string[] = ["loopback", "private", "uniqueLocal", "linkLocal"];

/**
 * Whether this caller may read the metrics, which reveal how busy an installation is. With a token configured:
 * callers who present it. Without: callers on this machine or a private network, not through a proxy, whether it
 * announces itself or passes on a public host name.
 */
export function mayReadMetrics(
  request: Pick<IncomingMessage, "headers" | "socket">,
  { token, appUrl }: { token: string | null; appUrl: string },
): boolean {
  const { headers, socket } = request;
  if (token !== null) return isSame(headers.authorization ?? "", `Bearer ${token}`);
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  return isPrivateAddress(socket.remoteAddress) && !isPublicName(headers.host, appUrl);
}

/** Constant time, whatever the two have in common. */
function isSame(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHash("sha256").update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

function isPrivateAddress(address: string | undefined): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false;
  return PRIVATE_RANGES.includes(ipaddr.process(address).range());
}

/**
 * The public address, or any name that the public DNS can hold: a page under a name pointed at this machine (DNS
 * rebinding) runs in a visitor's browser, which is a private caller. IP addresses and private names are not public.
 */
function isPublicName(host: string | undefined, appUrl: string): boolean {
  if (host === undefined) return false;
  const { hostname } = new URL(appUrl);
  const name = host.replace(/:\d+$/, "").toLowerCase();
  if (isLoopback(name) || ipaddr.isValid(name.replace(/^\[|\]$/g, ""))) return false;
  return name === hostname || (name.includes(".") && !/\.(local|internal)$/.test(name));
}

/** Written by proxies and tunnels: the socket's address is then not the caller's. */
const FORWARDED: readonly string[] = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"];

/** Whether the caller is on this machine, without an announced proxy or tunnel in between. */
export function isAtThisMachine({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): boolean {
  const { remoteAddress } = socket;
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  if (remoteAddress === undefined || !ipaddr.isValid(remoteAddress)) return false;
  return ipaddr.process(remoteAddress).range() === "loopback";
}
