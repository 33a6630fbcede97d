import { setTimeout as delay } from "node:timers/promises";
import { bankingInstant } from "@/lib/contract/banking-days";
import { AppError } from "@/lib/contract/error";
import { noteAction, requireDriver, type SandboxWorld } from "@/lib/core/sandbox/drive";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { ALL_WORK } from "@/lib/core/shared/work-names";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const DAY_MS = 86_400_000;
/** Longest single move; longer ones take several, so that each is checked. */
export const LONGEST_JUMP_MS = 92 * DAY_MS;
/** Limit of the sandbox: ten years ahead of real time. */
const FURTHEST_AHEAD_MS = 3_653 * DAY_MS;

/** The moment that a bare date in New York means. */
export function atNoonOf(date: string): Date {
  return bankingInstant(date, "12:00");
}

/** Moments stepped through per move; then the clock stops there until it is moved again. */
const MAXIMUM_STEPS = 600;
/** A member waits for the result. */
const MAXIMUM_REAL_MS = 25_000;
/** Work of another process is awaited: attempts per moment, delay between them, and attempts in total. */
const LOOKS_AT_A_MOMENT = 10;
const LOOK_AGAIN_MS = 25;
const MAXIMUM_LOOKS = 100;

/**
 * Moves the organization's business time forward, never back: due work cannot become undue. It stops at every moment at
 * which something falls due (a settlement, an arrival, a schedule, an expiry) and carries that out before it goes on,
 * so that everything happens in order and at its own time (docs/decisions/0006-two-clocks.md).
 * @param toAt business time; after now and at most 92 days ahead
 * @throws AppError `ACCESS_DENIED`; `INVALID_PARAMETERS`, also if so much was due that the clock stopped on its way.
 */
export async function moveClock(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  toAt: Date,
): Promise<void> {
  const { carryOutDue } = requireDriver(context, sandbox);
  const byMs = toAt.getTime() - context.now.getTime();
  if (!(byMs > 0)) throw new AppError("INVALID_PARAMETERS", "The clock only moves forward.");
  if (byMs > LONGEST_JUMP_MS) {
    throw new AppError("INVALID_PARAMETERS", "Move the clock by at most 92 days at a time.");
  }
  if (toAt.getTime() - services.clock.now().getTime() > FURTHEST_AHEAD_MS) {
    throw new AppError("INVALID_PARAMETERS", "The clock can be at most ten years ahead of real time.");
  }
  const reachedAt = await stepTo(services, carryOutDue, context, toAt);
  const action = {
    kind: "MOVED_CLOCK",
    fromAt: context.now.toISOString(),
    toAt: reachedAt.toISOString(),
  } as const;
  await inTransaction(services.pool, async (client) => {
    await noteAction(client, context, action, reachedAt);
    await recordChange(
      client,
      { ...context, now: reachedAt },
      { kind: "CLOCK_MOVED", subject: null, before: action.fromAt, after: action.toAt },
    );
  });
  for (const name of ALL_WORK) services.wake(name);
  if (reachedAt < toAt) {
    const message = "Too much was due at this moment, so the clock stopped there. Move it again to continue.";
    throw new AppError("INVALID_PARAMETERS", message);
  }
}

/** @returns the moment reached: `toAt`, or an earlier one if too much was due */
async function stepTo(
  services: Services,
  carryOutDue: SandboxWorld["carryOutDue"],
  { organizationId, now }: Context,
  toAt: Date,
): Promise<Date> {
  const startedAt = performance.now();
  let at = now;
  let looks = 0;
  for (let step = 0; ; step += 1) {
    let due = await findDue(services, organizationId, at, toAt);
    for (let look = 0; look < LOOKS_AT_A_MOMENT && looks < MAXIMUM_LOOKS; look += 1) {
      await carryOutDue();
      due = await findDue(services, organizationId, at, toAt);
      if (!due.isNow) break;
      looks += 1;
      await delay(LOOK_AGAIN_MS);
    }
    const isSpent = step === MAXIMUM_STEPS || performance.now() - startedAt > MAXIMUM_REAL_MS;
    if (at >= toAt || isSpent) return at;
    at = due.nextAt ?? toAt;
    await setClock(services, organizationId, at);
  }
}

/** Absolute, not relative: a repeated click, or two members at once, move it once. */
async function setClock(services: Services, organizationId: string, at: Date): Promise<void> {
  await services.pool.query({
    name: "move_clock",
    text: "update organizations set clock_offset_ms = greatest(clock_offset_ms, $2::bigint) where id = $1",
    values: [organizationId, at.getTime() - services.clock.now().getTime()],
  });
}

/**
 * Whether something is due by a moment, and when the next thing up to another moment is. Every branch has its index.
 */
async function findDue(
  { pool }: Pick<Services, "pool">,
  organizationId: string,
  at: Date,
  toAt: Date,
): Promise<{ isNow: boolean; nextAt: Date | null }> {
  const { rows } = await pool.query<{ isNow: boolean; nextAt: Date | null }>({
    name: "find_due_on_the_way",
    text: `
      select coalesce(bool_or(due.at <= $2), false) as "isNow",
          min(due.at) filter (where due.at > $2) as "nextAt" from (
        select next_run_at as at from rules where organization_id = $1 and active_version is not null
        union all
        select due_at from transfers where organization_id = $1 and next_step in ('BOOK', 'FAIL')
        union all
        select due_at from transfers where organization_id = $1 and next_step in ('SUBMIT', 'ASK')
        union all
        select due_at from rule_executions where organization_id = $1 and due_at is not null
        union all
        select unnest(array[expires_at, remind_at]) from proposals where organization_id = $1 and state = 'WAITING'
        union all
        select refresh_due_at from connections where organization_id = $1 and status = 'ACTIVE'
        union all
        select expires_at from card_authorizations where organization_id = $1 and status = 'AUTHORIZED'
        union all
        select available_at from bank_settlements where organization_id = $1 and hold_in_cents > 0
        union all
        select due_at from sandbox_bank_notices where organization_id = $1 and deliveries_left > 0
        union all
        select due_at from sandbox_card_notices where organization_id = $1 and deliveries_left > 0) due
       where due.at <= $3`,
    values: [organizationId, at, toAt],
  });
  return { isNow: rows[0]?.isNow === true, nextAt: rows[0]?.nextAt ?? null };
}
