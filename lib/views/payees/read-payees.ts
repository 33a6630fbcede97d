import { payeeHref } from "@/lib/contract/hrefs";
import type { NamedAlike } from "@/lib/contract/input/look-alike";
import { type CoolOff, MAXIMUM_PAYEES } from "@/lib/contract/payee";
import { readPayeeChange } from "@/lib/core/payees/payee-change";
import { PAYEE_COLUMNS, type PayeeRow, toPayee } from "@/lib/core/payees/payee-record";
import { readChangeSigning } from "@/lib/core/policies/sign-change";
import { readLookAlikeParties } from "@/lib/core/shared/look-alikes";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import { describeChangeSigning } from "@/lib/views/approvals/describe-signing";
import type { Reading, TimedReading } from "@/lib/views/reading";

export interface PayeeEventView {
  key: string;
  kind: "PROPOSED" | "DETAILS_GIVEN" | "SIGNED" | "CONFIRMED" | "DECLINED" | "REMOVED" | "INVITED";
  byKind: "MEMBER" | "API_KEY" | "PAYEE";
  byName: string;
  at: string;
  accountNumberLast4: string | null;
  note: string | null;
}

const MAXIMUM_EVENTS = 100;

// An address that a program proposed is not the member's own until a link was sent to it.
const ROW_COLUMNS = `${PAYEE_COLUMNS}, p.email, p.proposed_by_name as "proposedByName",
  p.proposed_by_kind = 'API_KEY' and not exists (select from payee_events e
    where e.organization_id = p.organization_id and e.payee_id = p.id and e.kind = 'INVITED' and e.note = p.email)
    as "emailIsProposed", a.account_number_last4 as "accountNumberLast4",
  (select max(t.accepted_at) from transfers t where t.organization_id = p.organization_id
     and t.destination_account_id = p.id and t.execution_mode = 'LIVE' and t.status in ('PROCESSING', 'COMPLETE')) as "lastPaidAt"`;
const JOINS = "from payees p left join accounts a on a.organization_id = p.organization_id and a.id = p.id";

interface ListedRow extends PayeeRow {
  email: string | null;
  emailIsProposed: boolean;
  proposedByName: string;
  accountNumberLast4: string | null;
  lastPaidAt: Date | null;
}

/** Current payees: those that need a member first, then by name. */
export async function readPayees({ services: { pool }, context, time }: TimedReading) {
  const { rows } = await pool.query<ListedRow>({
    name: "read_payees_page",
    text: `select * from (select ${ROW_COLUMNS} ${JOINS} where p.organization_id = $1 and p.removed_at is null) payee
      order by not ("hasWaiting" or version = 0), lower(name), id limit ${MAXIMUM_PAYEES}`,
    values: [context.organizationId, context.now],
  });
  const lookAlikes = await readLookAlikeParties(pool, context.organizationId);
  return {
    payees: rows.map((row) => toRow(row, lookAlikes)),
    coolOff: await readCoolOff(pool, context.organizationId),
    viewer: { canChange: mayDecide(context.actor) },
    time,
  };
}

export type PayeesView = Awaited<ReturnType<typeof readPayees>>;

function toRow(row: ListedRow, lookAlikes: ReadonlyMap<string, NamedAlike>) {
  const { id, name, kind, state, changeIsWaiting, coolsOffUntil } = toPayee(row, lookAlikes.get(row.id));
  return {
    id,
    href: payeeHref(id),
    name,
    kind,
    state,
    /** It can be paid, and another account of it waits for a member. */
    changeIsWaiting,
    coolsOffUntil,
    /** Of the account in force. */
    accountNumberLast4: row.accountNumberLast4,
    lastPaidAt: row.lastPaidAt?.toISOString() ?? null,
    /** Another name that looks the same as this one, or as the one that waits. */
    lookAlike: lookAlikes.get(id) ?? null,
  };
}

export type PayeeRowView = ReturnType<typeof toRow>;

export async function readCoolOff(database: Queryable, organizationId: string): Promise<CoolOff> {
  const { rows } = await database.query<CoolOff>({
    name: "read_cool_off",
    text: `select payee_cool_off_above_in_cents as "aboveInCents", payee_cool_off_hours as hours
      from organizations where id = $1`,
    values: [organizationId],
  });
  if (!rows[0]) throw new Error("The organization of a signed-in member was not found.");
  return rows[0];
}

/** Whether this account is a payee's, whose page is another one. */
export async function isPayee(
  { services: { pool }, context: { organizationId } }: Reading,
  accountId: string,
): Promise<boolean> {
  const { rowCount } = await pool.query("select 1 from payees where organization_id = $1 and id = $2", [
    organizationId,
    accountId,
  ]);
  return rowCount === 1;
}

interface DetailsRow {
  id: string;
  state: "WAITING" | "CONFIRMED";
  name: string;
  holderName: string;
  accountKind: "CHECKING" | "SAVINGS";
  routingNumberLast4: string;
  accountNumberLast4: string;
  bankReference: string;
  givenByKind: "MEMBER" | "PAYEE";
  givenByName: string;
  givenAt: Date;
  decidedAt: Date | null;
}

/** One payee with its history; null where the organization has none with this id. */
export async function readPayee(
  { services, context, time }: TimedReading<"pool" | "clock">,
  payeeId: string,
) {
  const { pool, clock } = services;
  const { organizationId } = context;
  const { rows } = await pool.query<ListedRow>({
    name: "read_payee_page",
    text: `select ${ROW_COLUMNS} ${JOINS} where p.organization_id = $1 and p.id = $3`,
    values: [organizationId, context.now, payeeId],
  });
  if (!rows[0]) return null;
  const [details, events, link, coolOff, lookAlikes] = await Promise.all([
    readDetails(pool, organizationId, payeeId),
    readEvents(pool, organizationId, payeeId),
    readLink(pool, organizationId, payeeId, clock.now()),
    readCoolOff(pool, organizationId),
    readLookAlikeParties(pool, organizationId),
  ]);
  const { email, emailIsProposed, proposedByName } = rows[0];
  const current = details.find(({ state }) => state === "CONFIRMED");
  const waiting = details.find(({ state }) => state === "WAITING");
  return {
    ...toRow(rows[0], lookAlikes),
    /** As a member gave it, or sent a link to it. */
    email: emailIsProposed ? null : email,
    /** As a program proposed it: nobody has checked whose it is. */
    proposedEmail: emailIsProposed && email !== null ? { email, byName: proposedByName } : null,
    /** The proposing program's own id and data. */
    labels: { externalId: rows[0].externalId, metadata: rows[0].metadata },
    current: current
      ? { ...accountOf(current), confirmedAt: (current.decidedAt ?? current.givenAt).toISOString() }
      : null,
    /** What a member must confirm or decline. */
    waiting: waiting
      ? {
          ...accountOf(waiting),
          id: waiting.id,
          /** As it will be called. */
          name: waiting.name,
          givenByKind: waiting.givenByKind,
          givenByName: waiting.givenByName,
          givenAt: waiting.givenAt.toISOString(),
          /** Where the policy asks for more than one person; null: one confirms. */
          signing: await readSigning({ pool, context }, waiting.id),
          /** It names the account in force again: only the name or kind changes. */
          isSameAccount: waiting.bankReference === current?.bankReference,
        }
      : null,
    /** A link that was sent and neither used nor expired. */
    link,
    events,
    coolOff,
    viewer: { canChange: mayDecide(context.actor) },
    time,
  };
}

export type PayeeView = NonNullable<Awaited<ReturnType<typeof readPayee>>>;

async function readSigning(
  { pool, context }: { pool: Services["pool"]; context: TimedReading["context"] },
  detailsId: string,
) {
  const change = await readPayeeChange(pool, context.organizationId, detailsId);
  return change && describeChangeSigning(await readChangeSigning(pool, context, change), context.actor.id);
}

function accountOf({ holderName, accountKind, routingNumberLast4, accountNumberLast4 }: DetailsRow) {
  return { holderName, accountKind, routingNumberLast4, accountNumberLast4 };
}

/** What waits and what was confirmed last. */
async function readDetails(
  database: Queryable,
  organizationId: string,
  payeeId: string,
): Promise<DetailsRow[]> {
  const { rows } = await database.query<DetailsRow>({
    name: "read_payee_details",
    text: `select distinct on (state) id, state, name, holder_name as "holderName", account_kind as "accountKind",
        routing_number_last4 as "routingNumberLast4", account_number_last4 as "accountNumberLast4",
        bank_reference as "bankReference", given_by_kind as "givenByKind", given_by_name as "givenByName",
        given_at as "givenAt", decided_at as "decidedAt"
      from payee_details where organization_id = $1 and payee_id = $2 and state in ('WAITING', 'CONFIRMED')
     order by state, coalesce(decided_at, given_at) desc, id desc`,
    values: [organizationId, payeeId],
  });
  return rows;
}

async function readEvents(
  database: Queryable,
  organizationId: string,
  payeeId: string,
): Promise<PayeeEventView[]> {
  const { rows } = await database.query<Omit<PayeeEventView, "at"> & { at: Date }>({
    name: "read_payee_history",
    text: `select id as key, kind, by_kind as "byKind", by_name as "byName", at,
        account_number_last4 as "accountNumberLast4", note
      from payee_events where organization_id = $1 and payee_id = $2 order by id desc limit ${MAXIMUM_EVENTS}`,
    values: [organizationId, payeeId],
  });
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

async function readLink(database: Queryable, organizationId: string, payeeId: string, realNow: Date) {
  const { rows } = await database.query<{ sentTo: string; expiresAt: Date }>({
    name: "read_payee_link",
    text: `select sent_to as "sentTo", expires_at as "expiresAt" from payee_links
      where organization_id = $1 and payee_id = $2 and expires_at > $3`,
    values: [organizationId, payeeId, realNow],
  });
  return rows[0] ? { sentTo: rows[0].sentTo, expiresAt: rows[0].expiresAt.toISOString() } : null;
}
