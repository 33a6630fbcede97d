import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { decisionMoves, movesWords } from "@/components/parts/approvals/decision-moves";

const TIME = { nowAt: "2026-11-20T16:26:02Z", timeZone: "America/New_York", locale: "en-US" };
const payee = {
  name: "Cedar",
  accountNumberLast4: "7777",
  isOwn: false,
  novelty: "FIRST",
  confirmedAt: TIME.nowAt,
} as const;

test("what rules move afterwards is shown beside what is approved, each with its own amount", () => {
  const textOf = (followsInCents: number | null) => {
    const moves = decisionMoves(
      { kind: "TRANSFER", settlesOver: "BOOKS", amountInCents: 425_000, checks: [], time: TIME },
      followsInCents,
    );
    return {
      list: renderToStaticMarkup(moves.list)
        .replaceAll(/<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " ")
        .replaceAll(" .", ".")
        .trim(),
      line: moves.line,
      amount: moves.amount,
    };
  };
  expect(textOf(106_250)).toEqual({
    list: "Moves immediately $4,250.00 Moved by rules afterwards $1,062.50",
    line: "$4,250.00 moves immediately.",
    amount: "$4,250.00",
  });
  expect(textOf(null).list).toBe("Moves immediately $4,250.00");
});

test("a transfer to a payee that cools off is not said to leave in the bank's next window", () => {
  const of = (waits: boolean) =>
    movesWords({
      kind: "TRANSFER",
      settlesOver: "ACH",
      time: TIME,
      checks: [
        {
          kind: "PAYEE",
          outcome: "LOOK",
          payees: [{ ...payee, coolsOffUntil: "2026-11-21T16:00:00Z", waits }],
        },
      ],
    });
  expect(of(true)).toMatch(/^Goes to the bank on Sat, Nov\s21 at 11:00\sAM$/);
  expect(of(false)).toBe("Goes to the bank in its next window");
});

test("only money between accounts at Sluice moves immediately; the bank has its window", () => {
  expect(movesWords({ kind: "TRANSFER", settlesOver: "BOOKS", checks: [], time: TIME })).toBe(
    "Moves immediately",
  );
  expect(movesWords({ kind: "RULE_RUN", settlesOver: "BOOKS", checks: [], time: TIME })).toBe(
    "Moves immediately",
  );
  expect(movesWords({ kind: "TRANSFER", settlesOver: "ACH", checks: [], time: TIME })).toBe(
    "Goes to the bank in its next window",
  );
  expect(movesWords({ kind: "RULE_RUN", settlesOver: "ACH", checks: [], time: TIME })).toBe(
    "Moves, some of it over the bank",
  );
});

test("the bar of a phone says how many documents are approved with it", () => {
  const lineWith = (names: readonly string[]) =>
    decisionMoves(
      {
        kind: "TRANSFER",
        settlesOver: "BOOKS",
        amountInCents: 21_200,
        checks: [],
        time: TIME,
        documents: names.map((name) => ({
          id: name,
          name,
          mediaType: "application/pdf",
          sizeInBytes: 1,
          sha256: "",
          addedByName: "claude",
          addedAt: TIME.nowAt,
          isPicture: false,
          href: "",
        })),
      },
      null,
    ).line;
  expect(lineWith([])).toBe("$212.00 moves immediately.");
  expect(lineWith(["a.pdf"])).toBe("$212.00 moves immediately. 1\u00a0document.");
  expect(lineWith(["a.pdf", "b.pdf"])).toBe("$212.00 moves immediately. 2\u00a0documents.");
});
