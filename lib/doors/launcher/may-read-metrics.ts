import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { isLoopback } from "@/lib/contract/is-loopback";

/** What a proxy writes: the request then comes from somewhere else than from whom it says. */
const FORWARDED: readonly string[] = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"];
/** `uniqueLocal` and `linkLocal` are IPv6's. */
const PRIVATE_RANGES: readonly string[] = ["loopback", "private", "uniqueLocal", "linkLocal"];

/**
 * Whether this caller may read the metrics, which tell how busy a house is. With a token: who sends it. Without: who is on
 * this machine or in a private network and came by no proxy, neither one that says so nor one that passes the public
 * name on.
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

/** In the time that both take whatever they have in common. */
function isSame(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHash("sha256").update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

function isPrivateAddress(address: string | undefined): boolean {
  if (address === undefined || !ipaddr.isValid(address)) return false;
  return PRIVATE_RANGES.includes(ipaddr.process(address).range());
}

function isPublicName(host: string | undefined, appUrl: string): boolean {
  const { hostname } = new URL(appUrl);
  return !isLoopback(hostname) && host?.replace(/:\d+$/, "").toLowerCase() === hostname;
}
