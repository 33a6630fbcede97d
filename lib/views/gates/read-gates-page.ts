import { ruleHref } from "@/lib/contract/hrefs";
import type { MessageChannel } from "@/lib/contract/notifications";
import { countWaiting } from "@/lib/core/approvals/read-waiting";
import { type ClosedGates, RESTORE_NAME, readClosedGates } from "@/lib/core/keys/gates";
import { listDeciders } from "@/lib/core/organizations/list-deciders";
import { mayDecide } from "@/lib/core/shared/permits";
import { maskRecipient } from "@/lib/core/shared/queue-message";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import { listWaitingSubjects } from "@/lib/views/approvals/list-waiting-subjects";
import type { TimedReading } from "@/lib/views/reading";
import { OUTSIDE_SLUICE } from "@/lib/words/names";

/** Fifty deciders, two channels each. */
const MAXIMUM_MESSAGES = 100;

const STATUS_WORDS = { QUEUED: "On its way", SENT: "Sent", FAILED: "Failed" } as const;

const MAXIMUM_LISTED = 10;
const MAXIMUM_PAST = 5;
const WEEK_MS = 7 * 86_400_000;

/** What closing all gates stops and what has already left; while they are open, what it would stop. For any member. */
export async function readGatesPage({ services: { pool }, context, time }: TimedReading) {
  const { organizationId, actor, now } = context;
  const closed = await readClosedGates(pool, organizationId);
  const [
    stopped,
    held,
    left,
    purchases,
    proposals,
    nextRuns,
    skippedCount,
    deciders,
    isEnrolled,
    reported,
    past,
  ] = await Promise.all([
    countStopped(pool, organizationId, now),
    readTransfers(pool, organizationId, "HELD"),
    readTransfers(pool, organizationId, "LEFT"),
    readPurchases(pool, organizationId),
    readProposals(pool, organizationId, now),
    readNextRuns(pool, organizationId, now),
    closed ? countSkipped(pool, organizationId, closed) : 0,
    listDeciders(pool, organizationId),
    hasPasskey(pool, actor.id),
    closed ? listNotified(pool, organizationId, closed) : [],
    readPast(pool, organizationId),
  ]);
  return {
    /** Null: the gates are open, and the page shows what closing would do. */
    closed: closed && {
      closingId: closed.id,
      closedAt: closed.closedAt.toISOString(),
      closedByName: closed.closedBy.id === actor.id ? null : closed.closedBy.name,
    },
    ...{
      /** Keys and assistants that may move money, and rules that are active. */
      stopped /** Accepted, but neither booked nor sent to the bank. */,
      held /** At the bank: closing cannot recall it. */,
      left /** Authorized card purchases that will still settle. */,
      purchases /** `isPartial`: the amount of some is not known, so the total leaves them out. */,
      proposals /** Scheduled runs within the next week, soonest first. */,
      nextRuns /** Scheduled runs missed while closed; they are not repeated. */,
      skippedCount /** Messages sent about the closing. */,
      reported /** Earlier closings, newest first. */,
      past,
      time,
    },
    /** Who can open them. */
    deciderNames: deciders.map(({ name }) => name),
    mayDecide: mayDecide(actor),
    hasPasskey: isEnrolled,
  };
}

/** What closing all gates stops, or would stop. */
export type GatesView = Awaited<ReturnType<typeof readGatesPage>>;

async function countStopped(database: Queryable, organizationId: string, now: Date) {
  const { rows } = await database.query<{ keys: number; assistants: number; rules: number }>({
    name: "count_what_gates_stop",
    text: `
      select count(*) filter (where client_id is null)::int as keys,
          count(*) filter (where client_id is not null)::int as assistants,
          (select count(*)::int from rules r
            where r.organization_id = $1 and r.active_version is not null and r.deleted_at is null) as rules
        from api_keys k
       where k.organization_id = $1 and k.revoked_at is null and (k.ends_at is null or k.ends_at > $2)
         and (k.client_id is not null or k.permissions @> any (array[
           '[{"type": "MANUAL_TRANSFER"}]', '[{"type": "TRIGGER_RULES"}]']::jsonb[]))`,
    values: [organizationId, now],
  });
  return rows[0] ?? { keys: 0, assistants: 0, rules: 0 };
}

/** Each step has a partial index, so only pending transfers are read. */
const STEPS = { HELD: ["BOOK", "SUBMIT"], LEFT: ["ASK", "AWAIT"] } as const;

interface PendingRow {
  id: string;
  sourceName: string;
  destinationName: string;
  amountInCents: number;
  /** For one at the bank: banking date; null until the bank gives one. */
  expectedCompletionDate: string | null;
  /** Business time at which it was accepted. */
  acceptedAt: Date;
  count: number;
  total: number;
}

async function readTransfers(database: Queryable, organizationId: string, which: keyof typeof STEPS) {
  const [first, second] = STEPS[which];
  const ofStep = (step: string) =>
    `select * from transfers where organization_id = $1 and next_step = '${step}'`;
  const { rows } = await database.query<PendingRow>({
    name: `read_transfers_${which.toLowerCase()}_by_gates`,
    text: `
      select t.id, coalesce(s.name, t.counterparty_name, '${OUTSIDE_SLUICE}') as "sourceName",
          coalesce(d.name, t.counterparty_name, '${OUTSIDE_SLUICE}') as "destinationName",
          t.amount_in_cents as "amountInCents", t.expected_completion_date as "expectedCompletionDate",
          t.accepted_at as "acceptedAt",
          count(*) over ()::int as count, sum(t.amount_in_cents) over ()::bigint as total
        from (${ofStep(first)} union all ${ofStep(second)}) t
        left join accounts s on s.organization_id = $1 and s.id = t.source_account_id
        left join accounts d on d.organization_id = $1 and d.id = t.destination_account_id
       order by t.id desc limit ${MAXIMUM_LISTED}`,
    values: [organizationId],
  });
  return {
    count: rows[0]?.count ?? 0,
    totalInCents: rows[0]?.total ?? 0,
    newest: rows.map(({ count: _count, total: _total, acceptedAt, ...transfer }) => ({
      ...transfer,
      href: `/transfers/${transfer.id}`,
      /** Business time at which it was accepted. */
      acceptedAt: acceptedAt.toISOString(),
    })),
  };
}

/** An accepted transfer between two parties. */
export type GateTransferView = GateTransfersView["newest"][number];

/** Lists show the newest; counts and sums cover all. */
export type GateTransfersView = Awaited<ReturnType<typeof readTransfers>>;

interface Sum {
  count: number;
  totalInCents: number;
}

async function readPurchases(database: Queryable, organizationId: string): Promise<Sum> {
  const { rows } = await database.query<Sum>({
    name: "sum_open_purchases",
    text: `
      select count(*)::int as count, coalesce(sum(hold_in_cents), 0)::bigint as "totalInCents"
        from card_authorizations where organization_id = $1 and status = 'AUTHORIZED'`,
    values: [organizationId],
  });
  return rows[0] ?? { count: 0, totalInCents: 0 };
}

/** With what a waiting run would move now, as the list of approvals shows it. */
async function readProposals(database: Queryable, organizationId: string, now: Date) {
  const [count, subjects] = await Promise.all([
    countWaiting(database, organizationId, now),
    listWaitingSubjects(database, { organizationId, now }),
  ]);
  const amounts = subjects.map(({ view }) => view.amountInCents);
  return {
    count,
    totalInCents: amounts.reduce<number>((sum, cents) => sum + (cents ?? 0), 0),
    // Beyond the list's bound, or runs that wait for an unknown balance.
    isPartial: count > amounts.length || amounts.includes(null),
  };
}

async function readNextRuns(database: Queryable, organizationId: string, now: Date) {
  const { rows } = await database.query<{ id: string; name: string; nextRunAt: Date }>({
    name: "list_next_runs_for_gates",
    text: `
      select id, name, next_run_at as "nextRunAt" from rules
       where organization_id = $1 and next_run_at is not null and next_run_at <= $2
         and active_version is not null and paused_at is null and deleted_at is null
       order by next_run_at, id limit ${MAXIMUM_LISTED}`,
    values: [organizationId, new Date(now.getTime() + WEEK_MS)],
  });
  return rows.map((row) => ({
    ruleName: row.name,
    href: ruleHref(row.id),
    at: row.nextRunAt.toISOString(),
  }));
}

async function countSkipped(
  database: Queryable,
  organizationId: string,
  { closedAt }: ClosedGates,
): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    name: "count_times_skipped_by_gates",
    text: `
      select coalesce(sum(s.times), 0)::int as count from rule_skipped_times s
       where s.organization_id = $1 and s.reason = 'GATES_CLOSED' and s.scheduled_for >= $2`,
    values: [organizationId, closedAt],
  });
  return rows[0]?.count ?? 0;
}

interface PastRow {
  id: string;
  closedAt: Date;
  closedByName: string | null;
  openedAt: Date;
  openedByName: string;
}

async function readPast(database: Queryable, organizationId: string) {
  const { rows } = await database.query<PastRow>({
    name: "list_past_closings",
    text: `
      select g.id, g.closed_at as "closedAt", c.name as "closedByName", g.opened_at as "openedAt",
          o.name as "openedByName"
        from gate_closings g left join users c on c.id = g.closed_by join users o on o.id = g.opened_by
       where g.organization_id = $1
       order by g.closed_at desc limit ${MAXIMUM_PAST}`,
    values: [organizationId],
  });
  return rows.map((row) => ({
    ...row,
    closedAt: row.closedAt.toISOString(),
    closedByName: row.closedByName ?? RESTORE_NAME,
    openedAt: row.openedAt.toISOString(),
  }));
}

function notifiedText(channel: MessageChannel, name: string, recipient: string): string {
  if (channel === "EMAIL") return `Email to ${name}`;
  const to = maskRecipient(channel, recipient);
  return channel === "SMS" ? `SMS to ${to}` : `Notification to ${name}, ${to}`;
}

interface NotifiedRow {
  channel: MessageChannel;
  name: string;
  recipient: string;
  status: keyof typeof STATUS_WORDS;
  id: string;
}

/** Who was notified of a closing, and whether it was sent. Phone numbers are masked: every member may read this. */
async function listNotified(database: Queryable, organizationId: string, { closedAt }: ClosedGates) {
  const { rows } = await database.query<NotifiedRow>({
    name: "list_told_of_closing",
    text: `
      select m.id, m.channel, u.name, m.recipient, m.status
        from messages m join users u on u.id = m.user_id
       where m.organization_id = $1 and m.kind = 'GATES_CLOSED' and m.created_at >= $2 and not m.is_forgotten
       order by m.created_at, m.channel, u.name limit ${MAXIMUM_MESSAGES}`,
    values: [organizationId, closedAt],
  });
  return rows.map(({ id, channel, name, recipient, status }) => ({
    key: id,
    channel,
    text: notifiedText(channel, name, recipient),
    status: STATUS_WORDS[status],
  }));
}
