import type { LiveView } from "@/lib/contract/browser/live";
import { onePerBatch } from "@/lib/core/shared/subject-columns";
import type { Reading } from "@/lib/views/reading";
import { WAITING_VERSIONS } from "@/lib/views/rules/waiting-versions";

/** Rows watched individually: what changes soon after it was created, or moves a balance. */
const WATCHED_TRANSFERS = 50;
const WATCHED_RUNS = 20;

/**
 * The numbers of waiting proposals and rules, and a stamp for each part of the organization that open pages show; a different
 * stamp means that something changed. One query that reads a few rows at the end of each index, however long the lists
 * are, because every open page polls it every few seconds.
 */
export async function readLive({ services, context }: Reading): Promise<LiveView> {
  const { rows } = await services.pool.query<{
    waitingCount: number;
    rulesCount: number;
    waiting: string;
    money: string;
    webhooks: string;
  }>({
    name: "read_live",
    text: `
      select w.waiting_count as "waitingCount", rules.rules_count as "rulesCount",
          md5(concat_ws('|', w.ids, decided.at, gates.stamp, rules.stamp, mandates.stamp)) as waiting,
          md5(concat_ws('|', transfers.stamp, balances.stamp, runs.stamp, cards.stamp, outside.stamp, gates.stamp)) as money,
          md5(coalesce(endpoints.stamp, '')) as webhooks
        from (select count(*)::int as waiting_count, string_agg(id::text, ',' order by id) as ids
                from proposals where organization_id = $1 and state = 'WAITING' and expires_at > $2 and ${onePerBatch("")}) w
        cross join (select count(*)::int as rules_count,
                        string_agg(concat_ws(' ', r.id, r.latest_version), ',' order by r.id) as stamp ${WAITING_VERSIONS}) rules
        cross join (select string_agg(concat_ws(' ', id, state, revision), ',' order by id) as stamp
                      from mandates where organization_id = $1 and state in ('WAITING', 'IN_FORCE')) mandates
        cross join (select max(decided_at) as at from proposals where organization_id = $1 and state <> 'WAITING') decided
        cross join (select string_agg(id || status || coalesce(next_step, ''), ',') as stamp
                      from (select id, status, next_step from transfers where organization_id = $1
                             order by id desc limit ${WATCHED_TRANSFERS}) newest) transfers
        cross join (select concat_ws(',', count(*), sum(credits_in_cents), sum(debits_in_cents), sum(held_in_cents)) as stamp
                      from ledgers where organization_id = $1) balances
        cross join (select string_agg(id || status, ',') as stamp
                      from (select id, status from rule_executions where organization_id = $1
                             order by id desc limit ${WATCHED_RUNS}) newest) runs
        cross join (select max(created_at) as stamp from card_transactions where organization_id = $1) cards
        cross join (select concat_ws(',', count(*), max(refreshed_at)) as stamp
                      from provider_balances where organization_id = $1) outside
        cross join (select concat_ws(',', count(*), count(opened_at)) as stamp
                      from gate_closings where organization_id = $1) gates
        cross join (select string_agg(concat_ws(' ', id, status, last_attempt_at, consecutive_failures), ',' order by id) as stamp
                      from webhook_endpoints where organization_id = $1 and status <> 'DELETED') endpoints`,
    values: [context.organizationId, context.now],
  });
  const [row] = rows;
  if (!row) throw new Error("A query without a where answers one row");
  const { waitingCount, rulesCount, waiting, money, webhooks } = row;
  return { waitingCount, rulesCount, stamps: { waiting, money, webhooks } };
}
