import {
  BOOK_TRANSFERS,
  EXPIRE_PROPOSALS,
  FIRE_SCHEDULES,
  RUN_RULES,
  SEND_MESSAGES,
  SEND_NOTICES,
  SUBMIT_TO_BANK,
} from "@/lib/core/shared/work-names";
import type { Services } from "@/lib/platform/services";

/** Each reads one entry of the partial index through which its work is claimed, however much waits. */
const OLDEST = {
  [BOOK_TRANSFERS]: "(select min(due_at) from transfers where next_step in ('BOOK', 'FAIL'))",
  [SUBMIT_TO_BANK]: "(select min(due_at) from transfers where next_step in ('SUBMIT', 'ASK'))",
  [RUN_RULES]: "(select min(due_at) from rule_executions where due_at is not null)",
  [FIRE_SCHEDULES]: "(select min(next_run_at) from rules where next_run_at is not null)",
  [EXPIRE_PROPOSALS]: "(select min(expires_at) from proposals where state = 'WAITING')",
  [SEND_NOTICES]: "(select min(due_at) from notices where handled_at is null)",
  [SEND_MESSAGES]: `least(
    (select min(due_at) from messages where status = 'QUEUED'),
    (select min(due_at) from person_messages where status = 'QUEUED'))`,
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
