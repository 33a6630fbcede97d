import { expect, test } from "vitest";
import { isEverythingSimulated } from "@/lib/core/sandbox/is-everything-simulated";

const NOTHING_REAL = {
  bank: { isSandbox: true },
  aggregator: { isSandbox: true },
  cards: { isSandbox: true },
};

test("a process whose providers are all simulated may be driven", () => {
  expect(isEverythingSimulated(NOTHING_REAL, null)).toBe(true);
});

test.each(["bank", "aggregator", "cards"] as const)("one with a real provider may not: %s", (name) => {
  expect(isEverythingSimulated({ ...NOTHING_REAL, [name]: { isSandbox: false } }, null)).toBe(false);
});

test.each(["INCREASE_API_KEY", "MERCURY_API_TOKEN"])("nor one beside a bank's own sandbox: %s", (keyName) => {
  expect(isEverythingSimulated(NOTHING_REAL, keyName)).toBe(false);
});
