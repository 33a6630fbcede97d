import { describe, expect, test } from "vitest";
import { type CardDraft, readDraft } from "@/app/cards/new/_components/new-card";

const DRAFT: CardDraft = {
  cardType: "DEBIT_CARD",
  name: " Studio ",
  accountId: "0190a1b2-0000-7000-8000-000000000001",
  holderId: "",
  limit: "",
};

describe("the form of a new card", () => {
  test("an empty limit means none and is never sent as zero", () => {
    expect(readDraft(DRAFT)).toMatchObject({
      kind: "READY",
      input: { name: "Studio", holderId: null, monthlyLimitInCents: null },
    });
    expect(readDraft({ ...DRAFT, limit: "$1,250.5" })).toMatchObject({
      input: { monthlyLimitInCents: 125_050 },
    });
  });

  test.each(["0", "0.99", "-5", "12,50", "much"])("a limit of %s is refused, never guessed", (limit) => {
    expect(readDraft({ ...DRAFT, limit })).toEqual({
      kind: "PROBLEMS",
      problems: { limit: "The limit must be an amount like 500.00, at least 1.00." },
    });
  });

  test("a missing value is reported beside its field", () => {
    expect(readDraft({ ...DRAFT, name: "  ", accountId: "" })).toEqual({
      kind: "PROBLEMS",
      problems: { name: "The name must not be empty.", accountId: "The pod must be the UUID of a pod." },
    });
  });
});
