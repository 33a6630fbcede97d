import type { HistoryDays } from "@/lib/contract/hrefs";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { firstIdAt } from "@/lib/platform/ids";

/** The balance from this moment until the next point. */
export interface BalancePoint {
  at: string;
  balanceInCents: number;
}

/** More than one step per pixel would be invisible. */
const SPANS = 360;

const DAY_MS = 86_400_000;

interface HistoryRow {
  balanceInCents: number;
  spans: BookedSpan[];
}

/**
 * The balance of a managed account over the last days, from its entries; null if it has no ledger. Balance and entries
 * come from one statement, so that the steps lead to the balance.
 */
export async function readBalanceHistory(
  database: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  accountId: string,
  days: HistoryDays,
) {
  const { from, spanMs } = historyRange(days, context.now);
  const { rows } = await database.query<HistoryRow>({
    name: "read_balance_history",
    // IDs sort by time of booking, so only the range is read from the index.
    text: `
      select l.credits_in_cents - l.debits_in_cents as "balanceInCents", coalesce(booked.spans, '[]') as spans
        from ledgers l
        cross join lateral (
          select json_agg(json_build_object('index', index, 'netInCents', net) order by index) as spans from (
            select floor(extract(epoch from (booked_at - $3)) * 1000 / $4)::int as index, sum(net)::bigint as net from (
              select booked_at, -amount_in_cents as net from entries
               where organization_id = $1 and debit_ledger_id = $2 and id >= $5 and booked_at > $3
              union all
              select booked_at, amount_in_cents from entries
               where organization_id = $1 and credit_ledger_id = $2 and id >= $5 and booked_at > $3) moved
             group by 1) spans) booked
       where l.organization_id = $1 and l.id = $2`,
    values: [context.organizationId, accountId, from, spanMs, firstIdAt(from)],
  });
  const row = rows[0];
  return row ? buildBalanceHistory(days, context.now, row.balanceInCents, row.spans) : null;
}

/** The net change within one span of the range. */
interface BookedSpan {
  /** 0 is the first span of the range. */
  index: number;
  netInCents: number;
}

/** The start of a range of this many days, and the length of its spans. */
export function historyRange(days: HistoryDays, now: Date): { from: Date; spanMs: number } {
  const rangeMs = days * DAY_MS;
  return { from: new Date(now.getTime() - rangeMs), spanMs: rangeMs / SPANS };
}

/**
 * The balance over the last days, computed backward from the current one. Pure.
 * @param spans those with entries, in order
 */
export function buildBalanceHistory(
  days: HistoryDays,
  now: Date,
  balanceNowInCents: number,
  spans: readonly BookedSpan[],
) {
  const { from, spanMs } = historyRange(days, now);
  const booked = spans.reduce((sum, span) => sum + span.netInCents, 0);
  let balanceInCents = balanceNowInCents - booked;
  const points: BalancePoint[] = [{ at: from.toISOString(), balanceInCents }];
  for (const span of spans) {
    balanceInCents += span.netInCents;
    // The end of the span: from then on, the balance is the point's value.
    const at = Math.min(from.getTime() + (span.index + 1) * spanMs, now.getTime());
    points.push({ at: new Date(at).toISOString(), balanceInCents });
  }
  points.push({ at: now.toISOString(), balanceInCents: balanceNowInCents });
  return { days, points };
}

/** A balance over time, in steps: the first point is the beginning of the range, the last one is now. */
export type BalanceHistory = ReturnType<typeof buildBalanceHistory>;
