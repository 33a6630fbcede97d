import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type AddressClass,
  classifyAddress,
  isPublicAddress,
  refuseAddress,
} from "@/lib/platform/egress/is-public-address";

/** Addresses by class, including the ends of ranges and their neighbors. */
const TABLE: Readonly<Record<AddressClass, readonly string[]>> = {
  PUBLIC: [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "168.63.129.15",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:4860:4860::8888",
    "2606:4700:4700::1111",
    "2a00:1450:4001:80b::200e",
  ],
  UNSPECIFIED: ["0.0.0.0", "0.0.0.1", "0.255.255.255", "::"],
  LOOPBACK: ["127.0.0.1", "127.1.2.3", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1"],
  PRIVATE: [
    "10.0.0.0",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.255.255",
    "fc00::1",
    "fd12:3456:789a::1",
    "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "fec0::1",
    "feff::1",
  ],
  LINK_LOCAL: ["169.254.0.1", "169.254.255.255", "fe80::1", "febf::1"],
  SHARED: ["100.64.0.0", "100.127.255.255"],
  MULTICAST: ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
  METADATA: [
    "169.254.169.254",
    "169.254.170.2",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd00:0ec2:0:0:0:0:0:254",
    "fd20:ce::254",
  ],
  EMBEDDING: [
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:8.8.8.8",
    "::127.0.0.1",
    "::a00:1",
    "::ffff:0:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "64:ff9b::808:808",
    "64:ff9b:1::a00:1",
    "64:ff9b:1:ffff::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:4860::5efe:10.0.0.1",
    "2001:4860::200:5efe:10.0.0.1",
  ],
  RESERVED: [
    "192.0.0.1",
    "192.0.2.1",
    "192.31.196.1",
    "192.52.193.1",
    "192.88.99.1",
    "192.175.48.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "240.0.0.1",
    "255.255.255.255",
    "100::1",
    "2001:2::1",
    "2001:3::1",
    "2001:4:112::1",
    "2001:10::1",
    "2001:20::1",
    "2001:1ff::1",
    "2001:db8::1",
    "2620:4f:8000::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "e000::1",
    "1::1",
  ],
  UNREADABLE: [
    "",
    "localhost",
    "example.com",
    "127.1",
    "0177.0.0.1",
    "0x7f.0.0.1",
    "2130706433",
    "0x7f000001",
    "127.0.0.1.",
    " 127.0.0.1",
    "8.8.8.8 ",
    "8.8.8.8:80",
    "8.8.8.8/32",
    "８.8.8.8",
    "[::1]",
    "fe80::1%eth0",
    "2606:4700:4700::1111%1",
    "::ffff:8.8.8",
    "1:2:3:4:5:6:7:8:9",
  ],
};

const CASES = Object.entries(TABLE).flatMap(([name, addresses]) =>
  addresses.map((address) => ({ name, address })),
);

describe("an address that this server may connect to", () => {
  it.each(CASES)("judges $address as $name", ({ name, address }) => {
    expect(classifyAddress(address)).toBe(name);
    expect(isPublicAddress(address)).toBe(name === "PUBLIC");
    expect(refuseAddress(address) === null).toBe(name === "PUBLIC");
  });

  it("is never one that a translator (NAT64, 6to4) turns into a private one", () => {
    const octet = fc.integer({ min: 0, max: 255 });
    const hidden = fc.oneof(
      fc.tuple(fc.constant(10), octet, octet, octet),
      fc.tuple(fc.constant(127), octet, octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    );
    const prefix = fc.integer({ min: 0x2003, max: 0x3ffe });
    fc.assert(
      fc.property(hidden, prefix, octet, ([a, b, c, d], site, rest) => {
        const [high, low] = [group(a, b), group(c, d)];
        const [notHigh, notLow] = [group(255 - a, 255 - b), group(255 - c, 255 - d)];
        const disguises = [
          `${a}.${b}.${c}.${d}`,
          `::ffff:${a}.${b}.${c}.${d}`,
          `0:0:0:0:0:ffff:${high}:${low}`,
          `::${a}.${b}.${c}.${d}`,
          `::ffff:0:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `64:ff9b:1:${group(0, rest)}::${high}:${low}`,
          `2002:${high}:${low}::${group(0, rest)}`,
          `2001:0:${group(rest, rest)}:1::${notHigh}:${notLow}`,
          `${site.toString(16)}::5efe:${high}:${low}`,
          `${site.toString(16)}::200:5efe:${high}:${low}`,
        ];
        expect(disguises.filter(isPublicAddress)).toEqual([]);
      }),
    );
  });

  it("is always inside IPv4 or 2000::/3, for any input", () => {
    const part = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.array(part, { minLength: 8, maxLength: 8 }), (parts) => {
        const address = parts.map((value) => value.toString(16)).join(":");
        const isGlobal = (parts[0] ?? 0) >> 13 === 1;
        expect(!isGlobal && isPublicAddress(address)).toBe(false);
      }),
    );
  });
});

function group(high: number, low: number): string {
  return ((high << 8) | low).toString(16);
}
