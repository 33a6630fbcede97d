import { describe, expect, it } from "vitest";
import { batchChecks, batchChecksSummary, linesInWords } from "@/app/_components/batch-checks";

describe("the checks of a batch", () => {
  const line = (number: number, more: object = {}) => ({
    line: number,
    amountInCents: 6_000,
    destinationName: `Payee ${number}`,
    flags: [],
    sameAccountLines: [],
    isNewPayee: false,
    isWithinLimit: true,
    isLikeOther: false,
    ...more,
  });
  const lines = [
    line(1, { sameAccountLines: [3] }),
    line(2, { isNewPayee: true, flags: ["New payee"] }),
    line(3, { sameAccountLines: [1], flags: ["Possible duplicate"], isLikeOther: true }),
    line(4, { isWithinLimit: false, flags: ["Above the key’s limit", "More than usual"] }),
  ];
  const view = { lines, shared: { requester: { kind: "API_KEY", name: "ops-payroll" } } };
  const checksWithout = (...struck: number[]) =>
    batchChecks(view as unknown as Parameters<typeof batchChecks>[0], new Set(struck), {
      sources: [],
      outgoing: null,
    });

  it("follow what is struck out", () => {
    const titles = (...struck: number[]) =>
      checksWithout(...struck).map(({ outcome, title, result }) => `${outcome} ${title}: ${result}`);
    expect(titles()).toEqual([
      "LOOK Two lines go to one account: 2 left",
      "LOOK 1 payee is new or changed: $60.00",
      "LOOK More than usual: 1 line",
      "LOOK Above the key’s limit: $60.00",
      "CLEAR Not sent twice: None found",
    ]);
    expect(titles(2, 3, 4)).toEqual([
      "CLEAR Two lines go to one account: 1 left",
      "CLEAR Within the key’s limit: All lines",
      "CLEAR Not sent twice: None found",
    ]);
    expect(batchChecksSummary(checksWithout())).toBe("1 clear, 4 to look at");
  });

  it("name lines in words", () => {
    expect([linesInWords([4]), linesInWords([4, 28])]).toEqual(["line 4", "lines 4 and 28"]);
    expect(linesInWords(Array.from({ length: 10 }, (_, index) => index + 1))).toBe(
      "lines 1, 2, 3, 4, 5, 6, 7, 8 and 2 more",
    );
  });
});
