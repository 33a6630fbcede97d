import { isIP } from "node:net";

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
