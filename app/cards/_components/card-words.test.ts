import { describe, expect, test } from "vitest";
import { cardsTitle, leftInCents, limitWords } from "@/app/cards/_components/card-words";

describe("a card in words", () => {
  test("the title counts the cards that can spend", () => {
    expect(cardsTitle(3)).toBe("3 cards can spend from your pods");
    expect(cardsTitle(1)).toBe("1 card can spend from your pods");
    expect(cardsTitle(0)).toBe("No card can spend from your pods");
  });

  test("an overspent card has zero left, never less", () => {
    expect(leftInCents({ monthlyLimitInCents: 50_000, spentInCents: 12_345 })).toBe(37_655);
    expect(leftInCents({ monthlyLimitInCents: 50_000, spentInCents: 60_000 })).toBe(0);
  });

  test("no limit is not a limit of zero", () => {
    expect(leftInCents({ monthlyLimitInCents: null, spentInCents: 0 })).toBeNull();
    expect(limitWords({ monthlyLimitInCents: null })).toBe("No monthly limit.");
    expect(limitWords({ monthlyLimitInCents: 200_000 })).toBe("$2,000.00 a month.");
  });
});
