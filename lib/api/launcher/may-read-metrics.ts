import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { isLoopback } from "@/lib/contract/urls";

/** `uniqueLocal` and `linkLocal` are IPv6's. */
const PRIVATE_RANGES: readonly string[] = ["loopback", "private", "uniqueLocal", "linkLocal"];

/**
 * Whether this caller may read the metrics, which tell how busy a house is. With a token: who sends it. Without: who is on
 * this machine or in a private network and came by no proxy, neither one that says so nor one that passes a public
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

/**
 * The public address's, or any that the public can have: a page of such a name that is pointed at this machine (DNS
 * rebinding) is read by a visitor's browser, which is a private caller. Addresses and names of a private network are none.
 */
function isPublicName(host: string | undefined, appUrl: string): boolean {
  if (host === undefined) return false;
  const { hostname } = new URL(appUrl);
  const name = host.replace(/:\d+$/, "").toLowerCase();
  if (isLoopback(name) || ipaddr.isValid(name.replace(/^\[|\]$/g, ""))) return false;
  return name === hostname || (name.includes(".") && !/\.(local|internal)$/.test(name));
}

/** What a proxy or a tunnel writes: the request then comes from somewhere else than from whom it says. */
const FORWARDED: readonly string[] = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"];

/** Whether whoever asks sits at this machine, and no proxy or tunnel stands between that says so. */
export function isAtThisMachine({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): boolean {
  const { remoteAddress } = socket;
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  if (remoteAddress === undefined || !ipaddr.isValid(remoteAddress)) return false;
  return ipaddr.process(remoteAddress).range() === "loopback";
}
