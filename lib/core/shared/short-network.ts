import { isIPv4 } from "node:net";
import { networkOf } from "@/lib/core/shared/network-of";

/**
 * Where a browser is, as a person may be shown it and no more of it is kept: `203.0.113.x` of an IPv4 address,
 * `2001:db8:0:x` of an IPv6 address. Null for what is no address.
 */
export function shortNetwork(address: string | null): string | null {
  const network = networkOf(address);
  if (network === "unknown") return null;
  if (isIPv4(network)) return `${network.split(".").slice(0, 3).join(".")}.x`;
  return `${network.split(":").slice(0, 3).join(":")}:x`;
}
