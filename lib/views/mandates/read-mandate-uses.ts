import { brokenMandateSchema } from "@/lib/contract/mandates/mandate";
import { movementHref } from "@/lib/contract/search/movement-search";
import type { TransferStatus } from "@/lib/contract/transfer";
import { approvalStatus, statusOfAccepted } from "@/lib/core/approvals/approval-facts";
import type { ProposalState } from "@/lib/core/approvals/proposal-facts";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Mandate } from "@/lib/core/mandates/read-mandates";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { breachWords } from "@/lib/words/mandates/breach-words";
import { accountsWords, type MandateNames } from "@/lib/words/mandates/mandate-sentence";

/** On the page of a mandate; older ones are in the list of movements. */
const LISTED_USES = 50;
const LISTED_WAITED = 20;

interface UseRow {
  id: string;
  at: Date;
  status: TransferStatus;
  amountInCents: number;
  sourceName: string;
  destinationName: string;
  reason: string | null;
  count: number;
  onItsWayInCents: number;
}

/** The transfers under a mandate, newest first, with those that failed later and do not count. */
export async function listUses(database: Queryable, organizationId: string, mandateId: string) {
  const { rows } = await database.query<UseRow>({
    name: "list_uses_of_mandate",
    text: `
      with page as materialized (
        select id from transfers where organization_id = $1 and mandate_id = $2 order by id desc limit ${LISTED_USES})
      select t.id, coalesce(t.accepted_at, t.created_at) as at, t.status, t.amount_in_cents as "amountInCents",
          source.name as "sourceName", destination.name as "destinationName",
          coalesce(t.reason_for_approval, t.description) as reason, whole.count, whole."onItsWayInCents"
        from page
        -- One by one: a join would read all transfers of the organization.
        cross join lateral (select * from transfers where organization_id = $1 and id = page.id offset 0) t
        join accounts source on source.organization_id = $1 and source.id = t.source_account_id
        join accounts destination on destination.organization_id = $1 and destination.id = t.destination_account_id
       cross join (
         select count(*)::int as count,
             coalesce(sum(amount_in_cents) filter (where status = 'PROCESSING'), 0)::bigint as "onItsWayInCents"
           from transfers where organization_id = $1 and mandate_id = $2) whole
       order by t.id desc`,
    values: [organizationId, mandateId],
  });
  return {
    count: rows[0]?.count ?? 0,
    onItsWayInCents: rows[0]?.onItsWayInCents ?? 0,
    listed: rows.map(({ at, status, count: _, onItsWayInCents: __, ...row }) => ({
      ...row,
      href: movementHref("TRANSFERS", row.id),
      at: at.toISOString(),
      status: statusOfAccepted(status),
    })),
  };
}

interface WaitedRow {
  id: string;
  at: Date;
  state: ProposalState;
  status: TransferStatus;
  expiresAt: Date;
  amountInCents: number;
  sourceAccountId: string;
  destinationAccountId: string;
  outsideMandate: unknown;
}

/** Transfers on its routes that its key proposed, and that waited for a person because it did not cover them; newest first. */
export async function listWaitedInstead(
  database: Queryable,
  { organizationId, now }: Pick<Context<MemberActor>, "organizationId" | "now">,
  { id, apiKeyId, createdAt, timeZone, terms }: Mandate,
  names: MandateNames,
) {
  const { rows } = await database.query<WaitedRow>({
    name: "list_waited_instead_of_mandate",
    text: `
      select p.id, p.created_at as at, p.state, t.status, p.expires_at as "expiresAt", t.amount_in_cents as "amountInCents",
          t.source_account_id as "sourceAccountId", t.destination_account_id as "destinationAccountId",
          p.outside_mandate as "outsideMandate"
        from proposals p
        cross join lateral (select * from transfers where organization_id = $1 and id = p.id offset 0) t
       where p.organization_id = $1 and p.api_key_id = $2 and p.id >= first_id_at($3::timestamptz)
         and p.outside_mandate ->> 'mandateId' = $4
       order by p.id desc limit ${LISTED_WAITED}`,
    values: [organizationId, apiKeyId, createdAt, id],
  });
  return rows.map(
    ({ at, outsideMandate, state, status, expiresAt, sourceAccountId, destinationAccountId, ...row }) => ({
      ...row,
      href: proposalHref(row.id),
      at: at.toISOString(),
      status: approvalStatus({ state, status, expiresAt }, now),
      sourceName: accountsWords([sourceAccountId], names),
      destinationName: accountsWords([destinationAccountId], names),
      because: breachWords(brokenMandateSchema.parse(outsideMandate), {
        on: calendarDate(at, timeZone),
        period: terms.recurrence?.period ?? null,
        sourceName: accountsWords([sourceAccountId], names),
      }),
    }),
  );
}
