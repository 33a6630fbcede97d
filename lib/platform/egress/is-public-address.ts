import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** The kind of network an address belongs to. Only `PUBLIC` is a single host on the internet. */
export type AddressClass =
  | "PUBLIC"
  | "UNSPECIFIED"
  | "LOOPBACK"
  | "PRIVATE"
  | "LINK_LOCAL"
  | "SHARED"
  | "MULTICAST"
  | "METADATA"
  | "EMBEDDING"
  | "RESERVED"
  | "UNREADABLE";

/**
 * ipaddr.js's names of ranges. An unlisted one, including those of later releases, is RESERVED: it is not plain
 * unicast.
 */
const CLASS_BY_RANGE: Readonly<Record<string, AddressClass>> = {
  unicast: "PUBLIC",
  unspecified: "UNSPECIFIED",
  loopback: "LOOPBACK",
  private: "PRIVATE",
  uniqueLocal: "PRIVATE",
  deprecatedSiteLocal: "PRIVATE",
  linkLocal: "LINK_LOCAL",
  carrierGradeNat: "SHARED",
  multicast: "MULTICAST",
  ipv4Mapped: "EMBEDDING",
  rfc6145: "EMBEDDING",
  rfc6052: "EMBEDDING",
  "6to4": "EMBEDDING",
  teredo: "EMBEDDING",
};

/**
 * Where clouds serve a machine its own credentials. Most are in ranges that are refused anyway, but Azure's
 * (168.63.129.16) is in public space.
 */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  "168.63.129.16",
  "169.254.169.254",
  "169.254.170.2",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
]);

/** Everything allocated as global unicast so far (IANA, "IPv6 Global Unicast Address Assignments"). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
/** `::a.b.c.d`, deprecated (RFC 4291, 2.5.5.1). */
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR("::/96");

/**
 * Judges one address, as a resolver or a socket writes it.
 *
 * An IPv6 address that embeds an IPv4 address is never public, whatever it embeds: a translator on the path (NAT64,
 * 6to4, a dual-stack socket) would carry the connection to the embedded one, including 127.0.0.1 and 169.254.169.254.
 */
export function classifyAddress(address: string): AddressClass {
  // Node's strict parser first: ipaddr.js accepts 0177.1 and 0x7f000001 as well. A zone id names a local interface.
  if (isIP(address) === 0 || address.includes("%")) return "UNREADABLE";
  const parsed = ipaddr.parse(address);
  if (METADATA_ADDRESSES.has(parsed.toString())) return "METADATA";
  const named = CLASS_BY_RANGE[parsed.range()] ?? "RESERVED";
  return named === "PUBLIC" && parsed instanceof ipaddr.IPv6 ? classifyUnicast(parsed) : named;
}

export function isPublicAddress(address: string): boolean {
  return classifyAddress(address) === "PUBLIC";
}

function classifyUnicast(address: ipaddr.IPv6): AddressClass {
  if (address.match(IPV4_COMPATIBLE) || isIsatap(address)) return "EMBEDDING";
  return address.match(GLOBAL_UNICAST) ? "PUBLIC" : "RESERVED";
}

/** `<any prefix>:[0200|0000]:5efe:a.b.c.d`: a tunnel inside a site (RFC 5214, 6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

/** What to say after the name of a host that leads to each class. */
const LEADS_TO: Readonly<Record<Exclude<AddressClass, "PUBLIC">, string>> = {
  UNSPECIFIED: "leads to no particular machine",
  LOOPBACK: "leads to this server itself",
  PRIVATE: "leads to a private address",
  LINK_LOCAL: "leads to a link-local address",
  SHARED: "leads to an address inside a provider's network",
  MULTICAST: "leads to a multicast address",
  METADATA: "leads to the metadata service of a cloud",
  EMBEDDING: "leads to an address that stands for another one",
  RESERVED: "leads to a reserved address",
  UNREADABLE: "leads to an address that cannot be read",
};

/** @returns null for a public address, else the text about its host, such as "leads to a private address" */
export function refuseAddress(address: string): string | null {
  const found = classifyAddress(address);
  return found === "PUBLIC" ? null : LEADS_TO[found];
}
