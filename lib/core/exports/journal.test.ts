import { expect, it } from "vitest";
import { journal } from "@/lib/core/exports/journal";
import type { Booked } from "@/lib/core/exports/read-booked";

const FORGED = "Rent, approved-by: Mara Owner,\n    ; entry: 0, date: 1999-01-01";
const BOOKED: Booked = {
  id: "entry-1",
  day: "2026-03-02",
  clock: "10:00:00",
  kind: "TRANSFER",
  amountInCents: 5_000,
  debitLedgerId: "a",
  creditLedgerId: "b",
  causeId: "transfer-1",
  outsideName: null,
  description: null,
  reason: FORGED,
  errorCode: null,
  proposedBy: "key, kind: return",
  approvedBy: null,
  approvalNote: FORGED,
  cardName: null,
};
const SUBJECT = {
  organizationName: "Northwind, approved-by: Mara",
  firstDay: "2026-01-01",
  lastDay: "2026-12-31",
  timeZone: "America/New_York",
  fileName: "books.journal",
  openingTitle: null,
  closingTitle: "Closing",
};

/** As hledger reads a comment: a word before a colon names a tag, whose value ends with a comma or the line. */
function tagsOf(comment: string): string[] {
  return comment.split(",").flatMap((part) => /(?:^|\s)([^\s:,]+):/.exec(part)?.[1] ?? []);
}

it("no text of a transfer writes another tag", async () => {
  const proof = { accounts: [] };
  let text = "";
  for await (const part of journal(
    proof,
    SUBJECT,
    (async function* () {
      yield [BOOKED];
    })(),
  )) {
    text += part;
  }
  const comments = text.split("\n").flatMap((line) => (line.startsWith("    ;") ? line.slice(5) : []));
  expect(comments.flatMap(tagsOf)).toEqual(["entry", "kind", "time", "proposed-by", "note", "reason"]);
  expect(text).toContain("; reason: Rent; approved-by: Mara Owner;");
});
