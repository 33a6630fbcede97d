import { Socket } from "node:net";
import { expect, it } from "vitest";
import { isAtThisMachine } from "@/lib/api/launcher/is-at-this-machine";

/** The mailbox asks nobody to sign in, and holds links that reset passwords: it is for whoever sits at the machine. */
function ask(remoteAddress: string | undefined, headers: Record<string, string> = {}): boolean {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
  return isAtThisMachine({ headers, socket });
}

it.each(["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"])("%s is this machine", (address) => {
  expect(ask(address)).toBe(true);
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
  expect(ask(address)).toBe(false);
});

it.each(["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"])(
  "nor is a tunnel that says so by %s, whatever it says",
  (name) => {
    expect(ask("127.0.0.1", { [name]: "127.0.0.1" })).toBe(false);
  },
);
