import fc from "fast-check";
import { expect, test } from "vitest";
import { MAXIMUM_BANK_WORDS } from "@/lib/ports/bank/bank-port";
import { bankWords } from "@/lib/ports/bank/bank-words";

test("title and detail become sentences, without account numbers, line breaks and repetitions", () => {
  expect(bankWords("Invalid parameters.", "account_number 987654321 is\nnot valid", null)).toBe(
    "Invalid parameters. account_number …4321 is not valid",
  );
  expect(bankWords("No", "No")).toBe("No");
  expect(bankWords(null, 7, "", undefined)).toBeNull();
});

test("an amount stays readable", () => {
  expect(bankWords("The limit is $123,456.78 per day.")).toBe("The limit is $123,456.78 per day.");
});

test("whatever a bank says is bounded, on one line, and can be stored", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 700 }), { maxLength: 3 }), (parts) => {
      const words = bankWords(...parts);
      if (words === null) return;
      expect(Array.from(words).length).toBeLessThanOrEqual(MAXIMUM_BANK_WORDS);
      expect(words).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]|[0-9]{8}/u);
      expect(words.isWellFormed()).toBe(true);
    }),
  );
});
