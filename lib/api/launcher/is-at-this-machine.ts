import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** What a proxy or a tunnel writes: the request then comes from somewhere else than from whom it says. */
export const FORWARDED: readonly string[] = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-real-ip",
  "forwarded",
  "via",
];

/** Whether whoever asks sits at this machine, and no proxy or tunnel stands between that says so. */
export function isAtThisMachine({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): boolean {
  const { remoteAddress } = socket;
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  if (remoteAddress === undefined || !ipaddr.isValid(remoteAddress)) return false;
  return ipaddr.process(remoteAddress).range() === "loopback";
}
