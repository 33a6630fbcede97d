import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { isAtThisMachine, mayReadMetrics } from "@/lib/api/launcher/may-read-metrics";

/** Goal: the public never reads how busy an installation is, whatever it sends and whatever proxy is in front. */
const appUrl = "https://sluice.northwind.example";

function ask(
  remoteAddress: string | undefined,
  headers: Record<string, string> = {},
  token: string | null = null,
) {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
  return mayReadMetrics({ headers, socket }, { token, appUrl });
}

describe("without a token the metrics", () => {
  it.each(["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.1.2.3", "172.18.0.4", "192.168.1.9", "fd12::1"])(
    "are read from %s",
    (address) => expect(ask(address)).toBe(true),
  );

  it.each([
    "203.0.113.7",
    "8.8.8.8",
    "2001:4860:4860::8888",
    "::ffff:8.8.8.8",
    "172.32.0.1",
    "",
    "localhost",
    undefined,
  ])("are not read from %s", (address) => expect(ask(address)).toBe(false));

  it.each(["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"])(
    "are not read through a proxy that says so by %s, not even an empty one",
    (name) => {
      expect(ask("127.0.0.1", { [name]: "" })).toBe(false);
      expect(ask("127.0.0.1", { [name]: "127.0.0.1" })).toBe(false);
    },
  );

  it.each(["sluice.northwind.example", "Sluice.Northwind.example:443"])(
    "are not read through a proxy that says nothing and passes on the public name %s",
    (host) => expect(ask("10.0.0.2", { host })).toBe(false),
  );

  it.each([
    "api:3000",
    "10.0.0.7:3000",
    "[fd12::1]:3000",
    "localhost:3000",
    "sluice.money.svc.cluster.local:3000",
  ])("are read by the private name %s", (host) => {
    expect(ask("10.0.0.2", { host })).toBe(true);
  });

  it("are not read by a page whose name someone points at this machine", () => {
    expect(ask("127.0.0.1", { host: "evil.example:3000" })).toBe(false);
  });
});

describe("with a token the metrics", () => {
  const token = "a-token-for-prometheus";

  it("are readable for any caller that sends it, from anywhere", () => {
    expect(ask("203.0.113.7", { authorization: `Bearer ${token}` }, token)).toBe(true);
    expect(ask("127.0.0.1", { authorization: `Bearer ${token}`, via: "1.1 proxy" }, token)).toBe(true);
  });

  it.each([
    "",
    "Bearer",
    "Bearer ",
    `bearer ${token}`,
    token,
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
  ])("are read by nobody who sends «%s», not even on this machine", (authorization) =>
    expect(ask("127.0.0.1", { authorization }, token)).toBe(false),
  );
});

/** The mailbox needs no sign-in and holds links that reset passwords: it is only for a person at the machine. */
function isHere(remoteAddress: string | undefined, headers: Record<string, string> = {}): boolean {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
  return isAtThisMachine({ headers, socket });
}

it.each(["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])("%s is this machine", (address) => {
  expect(isHere(address)).toBe(true);
});

it.each([
  "192.168.1.7",
  "10.0.0.2",
  "172.17.0.1",
  "203.0.113.9",
  "fe80::1",
  "::ffff:10.0.0.2",
  "localhost",
  "",
  undefined,
])("%s is not", (address) => {
  expect(isHere(address)).toBe(false);
});

it.each(["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"])(
  "nor is a tunnel that says so by %s, whatever it says",
  (name) => {
    expect(isHere("127.0.0.1", { [name]: "127.0.0.1" })).toBe(false);
  },
);
