import { writeCents } from "@/lib/contract/format-cents";
import { differenceHref, RECONCILIATION_HREF } from "@/lib/contract/hrefs";
import type { DifferenceKind } from "@/lib/contract/reconciliation";
import { type HandlersOf, noticeKind, type Reading } from "@/lib/core/notifications/notice-kind";

interface BankDifference {
  id: string;
  kind: DifferenceKind;
  /** Positive: into the account. 0: the side that lacks it. */
  bankInCents: number;
  booksInCents: number;
  /** `2026-11-20`: the banking day of the line, else of the entry. */
  day: string;
}

/** Resolved ones are left out. */
async function readOpen({ client, organizationId, ids }: Reading): Promise<BankDifference[]> {
  const { rows } = await client.query<BankDifference>({
    name: "read_differences_to_notify",
    text: `select id, kind, bank_in_cents as "bankInCents", books_in_cents as "booksInCents", day::text
      from bank_differences where organization_id = $1 and id = any ($2) and state = 'OPEN'
      order by abs(bank_in_cents - books_in_cents) desc, id`,
    values: [organizationId, ids],
  });
  return rows;
}

/**
 * Bank and books differ for longer than settlement explains; in a digest per organization. Without the bank's text, which
 * anyone may have written.
 */
export const bankDifference = noticeKind({
  kind: "BANK_DIFFERENCE",
  read: readOpen,
  say: {
    headline: differenceHeadline,
    lines: ({ kind, day }) => [`${ADVICE[kind]} Banking day: ${day}.`],
    preview: ({ kind }) => ADVICE[kind],
    action: ({ id }) => ({ label: "See the difference", href: differenceHref(id) }),
    note: "Nothing was changed. The difference stays open until someone resolves it.",
    sms: "the bank's statement and your books differ.",
    digest: {
      headline: (all) => `${all.length} more differences between bank and books`,
      sentence: null,
      line: differenceHeadline,
      action: () => ({ label: "See the differences", href: RECONCILIATION_HREF }),
      sms: (all) => `${all.length} more differences between bank and books.`,
    },
  },
});

const ADVICE: Record<DifferenceKind, string> = {
  MISSING_HERE: "The bank booked it, and Sluice knows nothing of it.",
  MISSING_AT_BANK: "Sluice booked it as the bank reported it, and the bank's statement does not show it.",
  DIFFERENT_AMOUNT: "Bank and books show the same movement with different amounts.",
  DIFFERENT_DATE: "Bank and books show the same movement on days that settlement does not explain.",
  LINE_CHANGED: "The bank changed a line of its statement that Sluice had read. The books are as before.",
};

/** `$4.00 that the bank took is missing in Sluice` */
function differenceHeadline({ kind, bankInCents, booksInCents }: BankDifference): string {
  const at = (cents: number) => writeCents(Math.abs(cents));
  switch (kind) {
    case "MISSING_HERE":
      return `${at(bankInCents)} that the bank ${bankInCents > 0 ? "received" : "took"} is missing in Sluice`;
    case "MISSING_AT_BANK":
      return `${at(booksInCents)} that ${booksInCents > 0 ? "came in" : "went out"} is missing at the bank`;
    case "DIFFERENT_AMOUNT":
      return `The bank shows ${writeCents(bankInCents)} where Sluice shows ${writeCents(booksInCents)}`;
    case "DIFFERENT_DATE":
      return `The bank dates ${at(bankInCents)} differently`;
    case "LINE_CHANGED":
      return bankInCents === booksInCents
        ? `The bank changed a line of ${writeCents(bankInCents)}`
        : `The bank changed a line from ${writeCents(booksInCents)} to ${writeCents(bankInCents)}`;
  }
}

export const reconciliationNotices: HandlersOf<"RECONCILIATION"> = { BANK_DIFFERENCE: bankDifference };
