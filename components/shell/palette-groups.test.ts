import { expect, test } from "vitest";
import { matchesWords, ownGroups, type PalettePlace } from "@/components/shell/palette-groups";

test.each([
  ["", "Accounts", true],
  ["mov", "Move money", true],
  ["mon mov", "Move money", true],
  ["API k", "New API key", true],
  ["oney", "Move money", false],
  ["move x", "Move money", false],
  ["(.*", "Move money", false],
])("%j finds %j: %s", (query, label, found) => {
  expect(matchesWords(query, label)).toBe(found);
});

/** Where the palette leads, without a search. */
function hrefsOf(place: Partial<PalettePlace>): string[] {
  const organizationName = "Northwind Studio";
  const base = {
    organizationName,
    hasSandboxPage: true,
    hasCards: true,
    mayChange: true,
    areGatesClosed: false,
  };
  return ownGroups({ ...base, ...place }, "", null)
    .flatMap(({ entries }) => entries)
    .flatMap(({ does }) => (does.kind === "GO" ? [does.href] : []));
}

test("beside real money, neither cards nor the sandbox are offered in the palette and the navigation", () => {
  const invented = ["/cards", "/cards/new", "/sandbox"];
  expect(hrefsOf({})).toEqual(expect.arrayContaining(invented));
  const real = hrefsOf({ hasCards: false, hasSandboxPage: false });
  expect(real).toContain("/transfers/new");
  expect(real.filter((href) => invented.includes(href))).toEqual([]);
});
