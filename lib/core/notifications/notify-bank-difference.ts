import { differenceHref, RECONCILIATION_HREF } from "@/lib/contract/hrefs";
import { type NoticeHandler, settingOf, subjectsOf } from "@/lib/core/notifications/notice-handler";
import type { Queryable } from "@/lib/db/transaction";
import {
  type BankDifference,
  differenceHeadline,
  renderBankDifference,
} from "@/lib/words/messages/bank-difference";
import { MAX_LISTED_LINES, renderDigest } from "@/lib/words/messages/digest";

const KIND = "BANK_DIFFERENCE";

/** Differences between bank and books, in a digest per organization. Resolved ones are left out. */
export const bankDifferenceHandler: NoticeHandler = {
  one: async (context, notice) => {
    const [difference] = await readOpen(
      context.client,
      notice.organizationId,
      [notice.subjectId],
      context.appUrl,
    );
    if (!difference) return null;
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderBankDifference(difference, settingOf(context, notice)),
    };
  },

  digest: async (context, notices) => {
    const [first] = notices;
    const { organizationId, ids } = subjectsOf(notices);
    const differences = await readOpen(context.client, organizationId, ids, context.appUrl);
    if (!first || differences.length === 0) return null;
    const digest = {
      count: differences.length,
      subject: `${differences.length} more differences between bank and books`,
      sentence: null,
      lines: differences.slice(0, MAX_LISTED_LINES).map(differenceHeadline),
      action: { label: "See the differences", url: `${context.appUrl}${RECONCILIATION_HREF}` },
      why: "CHOSEN" as const,
      smsSentence: `Sluice: ${differences.length} more differences between bank and books.`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderDigest(digest, settingOf(context, first)),
    };
  },
};

async function readOpen(
  client: Queryable,
  organizationId: string,
  ids: readonly string[],
  appUrl: string,
): Promise<BankDifference[]> {
  const { rows } = await client.query<Omit<BankDifference, "url"> & { id: string }>({
    name: "read_differences_to_notify",
    text: `select id, kind, bank_in_cents as "bankInCents", books_in_cents as "booksInCents", day::text
      from bank_differences where organization_id = $1 and id = any ($2) and state = 'OPEN'
      order by abs(bank_in_cents - books_in_cents) desc, id`,
    values: [organizationId, ids],
  });
  return rows.map(({ id, ...difference }) => ({ ...difference, url: `${appUrl}${differenceHref(id)}` }));
}
