import { isIP, isIPv4 } from "node:net";

/**
 * Set by the launcher for every request, whatever the client sent under this name. `x-forwarded-for` alone is what the
 * client likes it to be.
 */
export const CLIENT_ADDRESS_HEADER = "x-sluice-client-address";

/** As that one: `1` where whoever asks sits at this machine, else `0`. Next writes headers of proxies itself. */
export const AT_THIS_MACHINE_HEADER = "x-sluice-at-this-machine";

/**
 * The address that a request comes from. Sluice itself speaks no TLS, so behind an https address stands a proxy, and
 * the last entry of `x-forwarded-for` is the one that this proxy wrote; all before it are the client's own claims.
 */
export function clientAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | string[] | undefined,
  isBehindProxy: boolean,
): string {
  if (isBehindProxy && forwardedFor !== undefined) {
    const last = [forwardedFor].flat().join(",").split(",").at(-1)?.trim();
    if (last) return last;
  }
  return remoteAddress ?? "";
}

/**
 * The network that attempts are counted for: an IPv4 address as it is; of an IPv6 address its first 64 bits, because
 * one household or server has all the others to choose from. `unknown` for what is no address.
 */
export function networkOf(address: string | null): string {
  const version = address === null ? 0 : isIP(address);
  if (address === null || version === 0) return "unknown";
  if (version === 4) return address;
  const bare = address.split("%", 1)[0] ?? address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  return mapped ?? firstHalf(bare);
}

/** `2001:db8::1` → `2001:db8:0:0::/64` */
function firstHalf(address: string): string {
  const [head = "", tail] = address.split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const tailGroups = tail === "" ? 0 : tail.split(":").length + (tail.includes(".") ? 1 : 0);
    while (groups.length + tailGroups < 8 && groups.length < 4) groups.push("0");
    if (groups.length < 4) groups.push(...tail.split(":"));
  }
  const first = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${first.join(":")}::/64`;
}

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
