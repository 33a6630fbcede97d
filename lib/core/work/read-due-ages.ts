import { MESSAGE_RETENTION_DAYS } from "@/lib/contract/notifications";
import { EVENT_RETENTION_DAYS } from "@/lib/contract/webhooks";
import {
  BOOK_TRANSFERS,
  CHECK_IDENTITIES,
  COLLECT_BANK_NOTICES,
  COLLECT_CARD_NOTICES,
  DELIVER_EVENTS,
  END_REPLACED_KEYS,
  EXPIRE_CARD_AUTHORIZATIONS,
  EXPIRE_PROPOSALS,
  FIRE_SCHEDULES,
  FORGET_EVENTS,
  FORGET_EXPIRED,
  FORGET_MESSAGES,
  KEEP_OWN_ACCOUNTS,
  NOTE_WEEKS,
  OPEN_AT_BANK,
  RECONCILE,
  REFRESH_CONNECTIONS,
  RELEASE_FUNDS,
  REMIND_DECIDERS,
  REMIND_OF_REVIEWS,
  REMOVE_CONNECTIONS,
  RUN_RULES,
  SEAL_AUDIT,
  SEND_MESSAGES,
  SEND_NOTICES,
  SEND_PUSH,
  SUBMIT_TO_BANK,
  WATCH_KEYS,
} from "@/lib/core/shared/work-names";
import type { Services } from "@/lib/platform/services";

/**
 * Since when the oldest item of each kind has been due. Each reads one entry of the partial index through which its work
 * is claimed, or a table with a row per organization or endpoint, however much waits. A test names the kinds that have no
 * due time; `sluice_work_since_success_seconds` covers those, too.
 */
const OLDEST = {
  [BOOK_TRANSFERS]: "(select min(due_at) from transfers where next_step in ('BOOK', 'FAIL'))",
  [SUBMIT_TO_BANK]: "(select min(due_at) from transfers where next_step in ('SUBMIT', 'ASK'))",
  [COLLECT_BANK_NOTICES]: `least(
    (select min(due_at) from sandbox_bank_notices where deliveries_left > 0),
    (select min(occurred_at) from bank_inbox where acknowledged_at is null))`,
  [RELEASE_FUNDS]: "(select min(available_at) from bank_settlements where hold_in_cents > 0)",
  [OPEN_AT_BANK]: "(select min(number_due_at) from accounts where number_due_at is not null)",
  [KEEP_OWN_ACCOUNTS]:
    "(select min(due_at) from own_bank_accounts where move_id is not null or not is_open and is_wanted)",
  [RECONCILE]: "(select min(due_at) from reconciliations)",
  [COLLECT_CARD_NOTICES]: "(select min(due_at) from sandbox_card_notices where deliveries_left > 0)",
  [EXPIRE_CARD_AUTHORIZATIONS]:
    "(select min(expires_at) from card_authorizations where status = 'AUTHORIZED')",
  [CHECK_IDENTITIES]: "(select min(due_at) from identity_checks where due_at is not null)",
  [REFRESH_CONNECTIONS]: "(select min(refresh_due_at) from connections where refresh_due_at is not null)",
  // Its accounts were closed as it was disconnected.
  [REMOVE_CONNECTIONS]: `(select min(a.deleted_at) from connections c
      join accounts a on a.organization_id = c.organization_id and a.connection_id = c.id
    where c.status = 'DISCONNECTED' and c.sealed_access_token is not null)`,
  [RUN_RULES]: "(select min(due_at) from rule_executions where due_at is not null)",
  [FIRE_SCHEDULES]: "(select min(next_run_at) from rules where next_run_at is not null)",
  [EXPIRE_PROPOSALS]: "(select min(expires_at) from proposals where state = 'WAITING')",
  [REMIND_DECIDERS]: `(select min(remind_at) from proposals where state = 'WAITING' and remind_at is not null)`,
  [REMIND_OF_REVIEWS]: `(select min(fraud_review_look_at) from organizations
    where exists (select from bank_in_use where is_production))`,
  [NOTE_WEEKS]: "(select min(week_due_at) from organizations)",
  [SEND_NOTICES]: "(select min(due_at) from notices where handled_at is null)",
  [SEND_MESSAGES]: `least(
    (select min(due_at) from messages where status = 'QUEUED' and channel <> 'PUSH'),
    (select min(due_at) from person_messages where status = 'QUEUED'))`,
  [SEND_PUSH]: "(select min(due_at) from messages where status = 'QUEUED' and channel = 'PUSH')",
  [END_REPLACED_KEYS]: "(select min(ends_at) from api_keys where ends_at is not null and revoked_at is null)",
  [WATCH_KEYS]: "(select min(watch_due_at) from api_keys where watch_due_at is not null)",
  [SEAL_AUDIT]: "(select min(written_at) from audit_unsealed)",
  [DELIVER_EVENTS]: `(select min(d.due_at) from webhook_endpoints e
      cross join lateral (select w.due_at from webhook_deliveries w
        where w.organization_id = e.organization_id and w.endpoint_id = e.id and w.status = 'PENDING'
        order by w.due_at limit 1) d
    where e.status = 'ENABLED')`,
  [FORGET_EVENTS]: `(select min(v.created_at) + interval '${EVENT_RETENTION_DAYS} days' from organizations o
      cross join lateral (select w.created_at from webhook_events w
        where w.organization_id = o.id order by w.id limit 1) v)`,
  [FORGET_MESSAGES]: `(select min(m.created_at) + interval '${MESSAGE_RETENTION_DAYS} days' from organizations o
      cross join lateral (select n.created_at from messages n
        where n.organization_id = o.id and not n.is_forgotten and n.status <> 'QUEUED'
        order by n.created_at, n.id limit 1) m)`,
  // Results are kept for an hour longer.
  [FORGET_EXPIRED]: `least(
    (select min(expires_at) + interval '1 hour' from idempotency_results),
    (select min(expires_at) from oauth_records where expires_at is not null))`,
};

const COLUMNS = Object.entries(OLDEST).map(
  ([work, oldest]) => `greatest(0, extract(epoch from $1 - ${oldest}))::float8 as "${work}"`,
);

/**
 * For how many seconds the oldest item of each kind of due work has been due; 0 where nothing is. Work that waits for
 * closed gates counts, too.
 */
export async function readDueAges({
  pool,
  clock,
}: Pick<Services, "pool" | "clock">): Promise<[string, number][]> {
  const { rows } = await pool.query<Record<string, number | null>>({
    name: "read_due_ages",
    text: `select ${COLUMNS.join(", ")}`,
    values: [clock.now()],
  });
  return Object.entries(rows[0] ?? {}).map(([work, seconds]) => [work, seconds ?? 0]);
}
