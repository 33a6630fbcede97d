import { z } from "zod";
import type { InSluiceView } from "@/lib/contract/account";
import { TOTAL_DAYS } from "@/lib/contract/hrefs";
import { IN_SLUICE, inSluiceSchema } from "@/lib/core/ledger/read-in-sluice";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

/** Parties shown individually; smaller ones are combined as `EVERYBODY_ELSE`. */
const MAXIMUM_PARTIES = 200;
export const EVERYBODY_ELSE = "*";

const cents = z.int();

const flowSchema = z.object({
  debit: z.string(),
  credit: z.string(),
  /** See `daily_flows.party`. */
  party: z.string(),
  amountInCents: cents,
});
export type Flow = z.infer<typeof flowSchema>;

const rowSchema = z.object({
  clearingLedgerId: z.string(),
  historyFrom: z.date(),
  inSluice: inSluiceSchema,
  flows: z.array(flowSchema),
  border: z.object({
    inInCents: cents,
    inFromOwnInCents: cents,
    outInCents: cents,
    outToOwnInCents: cents,
  }),
  changes: z.array(z.object({ endsAt: z.coerce.date(), netInCents: cents })),
});

export type BorderFlows = z.infer<typeof rowSchema>["border"];

export interface FlowsRead {
  clearingLedgerId: string;
  inSluice: InSluiceView;
  /** For the map's range, one per pair of ledgers and party. */
  flows: Flow[];
  /** What came in and went out in the map's range (`border_flows`), of all parties. */
  border: BorderFlows;
  /** Start of the chart's range. */
  historyFrom: Date;
  /** The total's change on each day of the chart that has one, in order. */
  changes: { endsAt: Date; netInCents: number }[];
}

/**
 * The flows of the last days and the current balances, from one statement, so that the steps lead to the total. It adds
 * up days (`daily_flows`), never entries.
 * @param days of the map, including today
 */
export async function readFlows(
  database: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  days: number,
): Promise<FlowsRead> {
  const { rows } = await database.query({
    name: "read_daily_flows",
    text: READ_FLOWS,
    values: [context.organizationId, context.now, Math.max(days, TOTAL_DAYS), days, TOTAL_DAYS],
  });
  const row = rowSchema.parse(rows[0]);
  return {
    clearingLedgerId: row.clearingLedgerId,
    inSluice: row.inSluice,
    flows: row.flows,
    border: row.border,
    historyFrom: row.historyFrom,
    changes: row.changes,
  };
}

const READ_FLOWS = `
  with place as (
    select o.clearing_ledger_id, o.time_zone, ($2::timestamptz at time zone o.time_zone)::date as today
      from organizations o where o.id = $1),
  flows as materialized (
    select f.day, f.debit_ledger_id as debit, f.credit_ledger_id as credit, f.party, f.amount_in_cents as cents
      from daily_flows f
     where f.organization_id = $1 and f.day > (select today from place) - $3::int),
  pairs as (
    select f.debit, f.credit, f.party, sum(f.cents)::bigint as cents,
        row_number() over (partition by f.party = '' order by abs(sum(f.cents)) desc) as place
      from flows f where f.day > (select today from place) - $4::int group by 1, 2, 3),
  flow_sums as (
    select debit, credit, case when party <> '' and place > ${MAXIMUM_PARTIES} then '${EVERYBODY_ELSE}' else party end as party,
        sum(cents)::bigint as "amountInCents"
      from pairs group by 1, 2, 3)
  select p.clearing_ledger_id as "clearingLedgerId",
      (p.today - $5::int + 1)::timestamp at time zone p.time_zone as "historyFrom",
      (select to_json(held) from (${IN_SLUICE}) held) as "inSluice",
      (select coalesce(json_agg(flow_sums), '[]') from flow_sums) as flows,
      (select json_build_object('inInCents', b.in_in_cents, 'inFromOwnInCents', b.in_from_own_in_cents,
           'outInCents', b.out_in_cents, 'outToOwnInCents', b.out_to_own_in_cents)
         from border_flows($1, p.today - $4::int + 1, null, null) b) as border,
      (select coalesce(json_agg(json_build_object('endsAt', (day + 1)::timestamp at time zone p.time_zone, 'netInCents', net)
           order by day), '[]')
         from (
           select f.day, sum(case when f.debit = p.clearing_ledger_id then f.cents else -f.cents end)::bigint as net
             from flows f
            where f.day > p.today - $5::int and p.clearing_ledger_id in (f.debit, f.credit)
            group by 1) by_day
        where net <> 0) as changes
    from place p`;
