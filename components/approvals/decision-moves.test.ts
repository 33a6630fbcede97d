import { expect, test } from "vitest";
import { movesWords } from "@/components/approvals/decision-moves";

test("only money between accounts at Sluice moves immediately; the bank has its window", () => {
  expect(movesWords({ kind: "TRANSFER", settlesOver: "BOOKS" })).toBe("Moves immediately");
  expect(movesWords({ kind: "RULE_RUN", settlesOver: "BOOKS" })).toBe("Moves immediately");
  expect(movesWords({ kind: "TRANSFER", settlesOver: "ACH" })).toBe("Goes to the bank in its next window");
  expect(movesWords({ kind: "RULE_RUN", settlesOver: "ACH" })).toBe("Moves, some of it over the bank");
});
