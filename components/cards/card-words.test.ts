import { describe, expect, test } from "vitest";
import { cardsTitle, leftInCents, limitWords } from "@/components/cards/card-words";

describe("a card in words", () => {
  test("the title says how many can spend", () => {
    expect(cardsTitle(3)).toBe("Three cards spend from your pods");
    expect(cardsTitle(1)).toBe("One card spends from your pods");
    expect(cardsTitle(0)).toBe("No cards spend from your pods");
  });

  test("a shop that took more than was left leaves nothing, not less", () => {
    expect(leftInCents({ monthlyLimitInCents: 50_000, spentInCents: 12_345 })).toBe(37_655);
    expect(leftInCents({ monthlyLimitInCents: 50_000, spentInCents: 60_000 })).toBe(0);
  });

  test("no limit is not a limit of nothing", () => {
    expect(leftInCents({ monthlyLimitInCents: null, spentInCents: 0 })).toBeNull();
    expect(limitWords({ monthlyLimitInCents: null })).toBe("No limit of its own.");
    expect(limitWords({ monthlyLimitInCents: 200_000 })).toBe("$2,000.00 a month.");
  });
});
