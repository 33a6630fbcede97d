import { payeeHref } from "@/lib/contract/hrefs";
import { type NoticeHandler, settingOf, subjectsOf } from "@/lib/core/notifications/notice-handler";
import type { Queryable } from "@/lib/db/transaction";
import { MAX_LISTED_LINES, renderDigest } from "@/lib/words/messages/digest";
import { type ChangedPayee, payeeHeadline, renderPayeeChanged } from "@/lib/words/messages/payee-changed";

const KIND = "PAYEE_CHANGED";

/**
 * What happens to payees, to every owner and co-owner, in a digest per organization. Confirmations are never in one: they
 * have no digest key (`recordPayeeEvent`).
 */
export const payeeChangedHandler: NoticeHandler = {
  one: async (context, notice) => {
    const { organizationId, subjectId } = notice;
    const [event] = await readEvents(context.client, organizationId, [subjectId], context.appUrl);
    if (!event) return null;
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderPayeeChanged(event, settingOf(context, notice)),
    };
  },

  digest: async (context, notices) => {
    const [first] = notices;
    const { organizationId, ids } = subjectsOf(notices);
    const events = await readEvents(context.client, organizationId, ids, context.appUrl);
    if (!first || events.length === 0) return null;
    const digest = {
      count: events.length,
      subject: `${events.length} more changes of payees`,
      sentence: "If you do not recognize them, remove the payees.",
      lines: events.slice(0, MAX_LISTED_LINES).map(payeeHeadline),
      action: { label: "See the payees", url: `${context.appUrl}/payees` },
      why: "SECURITY" as const,
      smsSentence: `Sluice: ${events.length} more changes of payees. If you do not recognize them, remove the payees.`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderDigest(digest, settingOf(context, first)),
    };
  },
};

/** The gravest first: a flood of proposals must not push an account that waits for confirmation off the list. */
const GRAVEST_FIRST = `case e.kind when 'CONFIRMED' then 0 when 'DETAILS_GIVEN' then 1 when 'INVITED' then 2
  when 'PROPOSED' then 3 else 4 end, p.version = 0, e.id`;

type EventRow = Omit<ChangedPayee, "by" | "payeeUrl"> & {
  payeeId: string;
  byKind: ChangedPayee["by"]["kind"];
  byName: string;
};

async function readEvents(
  client: Queryable,
  organizationId: string,
  ids: readonly string[],
  appUrl: string,
): Promise<ChangedPayee[]> {
  const { rows } = await client.query<EventRow>({
    name: "read_payee_events",
    text: `select e.payee_id as "payeeId", e.kind, e.name, e.by_kind as "byKind", e.by_name as "byName",
        e.account_number_last4 as "accountNumberLast4", case when e.kind <> 'PROPOSED' then e.note end as note,
        exists (select from payee_events before where before.organization_id = $1 and before.payee_id = e.payee_id
          and before.kind = 'CONFIRMED' and before.id < e.id) as "isChange",
        e.kind = 'DETAILS_GIVEN' and exists (select from payee_events added where added.organization_id = $1
          and added.payee_id = e.payee_id and added.kind = 'PROPOSED' and added.by_kind = 'MEMBER'
          and added.at = e.at) as "isAdded",
        case when e.kind = 'CONFIRMED' and p.cools_off_until > e.at then p.cools_off_until end as "coolsOffUntil"
      from payee_events e join payees p on p.organization_id = e.organization_id and p.id = e.payee_id
     where e.organization_id = $1 and e.id = any ($2) order by ${GRAVEST_FIRST}`,
    values: [organizationId, ids],
  });
  return rows.map(({ payeeId, byKind, byName, ...event }) => ({
    ...event,
    by: { kind: byKind, name: byName },
    payeeUrl: `${appUrl}${payeeHref(payeeId)}`,
  }));
}
