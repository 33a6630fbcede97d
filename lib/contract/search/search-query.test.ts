import { describe, expect, test } from "vitest";
import { MAXIMUM_QUERY_LENGTH, readSearchQuery } from "@/lib/contract/search/search-query";

const ID = "0193a5c2-7b1e-7c44-9d10-44d0aa12be99";

describe("what a text in the palette may mean", () => {
  test.each([
    ["4250", 425_000],
    ["$4,250.00", 425_000],
    ["4,250.5", 425_050],
    [" 0.07 ", 7],
    ["0", null],
    ["4,25", null],
    ["-5", null],
    ["Taxes", null],
  ])("%j is the amount %s", (text, amount) => {
    expect(readSearchQuery(text).amountInCents).toBe(amount);
  });

  test.each([
    [ID, ID, ID],
    [ID.toUpperCase(), ID, ID],
    [`http://localhost:3000/?approvalTransferId=${ID}`, ID, ID],
    ["0193a5c2", "0193a5c2-0000-0000-0000-000000000000", "0193a5c2-ffff-ffff-ffff-ffffffffffff"],
    ["0193a5c2-7b1", "0193a5c2-7b10-0000-0000-000000000000", "0193a5c2-7b1f-ffff-ffff-ffffffffffff"],
    ["4250", "42500000-0000-0000-0000-000000000000", "4250ffff-ffff-ffff-ffff-ffffffffffff"],
  ])("%s lies from %s to %s", (text, first, last) => {
    expect(readSearchQuery(text).ids).toEqual({ first, last });
  });

  test.each(["019", "taxes", "0193a5c2%", "0193 a5c2", "----------", "0193a5c2'--", ""])(
    "%j is the beginning of no id",
    (text) => {
      expect(readSearchQuery(text).ids).toBeNull();
    },
  );

  test("only the beginning of a long text counts", () => {
    expect(readSearchQuery("x".repeat(5_000)).name).toHaveLength(MAXIMUM_QUERY_LENGTH);
  });
});
