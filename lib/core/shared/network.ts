import { isIP, isIPv4 } from "node:net";

/**
 * Set by the launcher for every request, overwriting what the client sent. `x-forwarded-for` alone is controlled by the
 * client.
 */
export const CLIENT_ADDRESS_HEADER = "x-sluice-client-address";

/** Set like that one: `1` if the client is on this machine, else `0`. Next sets proxy headers itself. */
export const AT_THIS_MACHINE_HEADER = "x-sluice-at-this-machine";

/**
 * The address that a request comes from. Sluice does not speak TLS, so behind an https address there is a proxy, and the
 * last entry of `x-forwarded-for` is the one that it wrote; earlier entries are the client's own claims.
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
 * The network that attempts are counted for: a whole IPv4 address, the first 64 bits of an IPv6 address, since one
 * household or server controls the rest. `unknown` for anything else.
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
 * A browser's network, as shown and stored: `203.0.113.x` for an IPv4 address, `2001:db8:0:x` for an IPv6 address. Null
 * for anything else.
 */
export function shortNetwork(address: string | null): string | null {
  const network = networkOf(address);
  if (network === "unknown") return null;
  if (isIPv4(network)) return `${network.split(".").slice(0, 3).join(".")}.x`;
  return `${network.split(":").slice(0, 3).join(":")}:x`;
}
