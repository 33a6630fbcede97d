import { expect, it } from "vitest";
import { clientAddress } from "@/lib/core/shared/network";

it("is the socket's without a proxy, whatever the client claims", () => {
  expect(clientAddress("203.0.113.7", "198.51.100.1", false)).toBe("203.0.113.7");
});

it("is what the proxy saw behind one, whatever the client claims before", () => {
  expect(clientAddress("127.0.0.1", "198.51.100.1, 203.0.113.7", true)).toBe("203.0.113.7");
  expect(clientAddress("127.0.0.1", ["198.51.100.1", "203.0.113.7"], true)).toBe("203.0.113.7");
});

it("is the socket's when the proxy says nothing", () => {
  expect(clientAddress("127.0.0.1", undefined, true)).toBe("127.0.0.1");
  expect(clientAddress("127.0.0.1", " ", true)).toBe("127.0.0.1");
  expect(clientAddress(undefined, undefined, false)).toBe("");
});
