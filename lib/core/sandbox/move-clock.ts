import { bankingInstant } from "@/lib/contract/banking-days";
import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/context";
import { noteAction, requireDriver, type SandboxWorld } from "@/lib/core/sandbox/drive";
import { ALL_WORK } from "@/lib/core/work-names";
import type { Services } from "@/lib/platform/services";

const DAY_MS = 86_400_000;
/** One step; further by further steps, so that each is looked at. */
export const LONGEST_JUMP_MS = 92 * DAY_MS;
/** Ten years ahead of real time the sandbox has shown what it can. */
const FURTHEST_AHEAD_MS = 3_653 * DAY_MS;

/** The moment that a date in New York stands for, when only a date is named. */
export function atNoonOf(date: string): Date {
  return bankingInstant(date, "12:00");
}

/**
 * Moves the organization's business time forward, never back: what was due cannot become undue. Everything that falls
 * due meanwhile happens then (architecture page, "Time").
 * @param toAt business time; after now and at most 92 days ahead
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS`.
 */
export async function moveClock(
  services: Services,
  sandbox: SandboxWorld | null,
  context: Context<MemberActor>,
  toAt: Date,
): Promise<void> {
  requireDriver(context, sandbox);
  const byMs = toAt.getTime() - context.now.getTime();
  if (!(byMs > 0)) throw new AppError("INVALID_PARAMETERS", "The clock moves forward only.");
  if (byMs > LONGEST_JUMP_MS) {
    throw new AppError("INVALID_PARAMETERS", "Move the clock by at most 92 days at a time.");
  }
  const { rowCount } = await services.pool.query({
    name: "move_clock",
    // To a moment, not by a while: the same click twice, or two members at once, moves it once.
    text: `
      update organizations set clock_offset_ms = greatest(clock_offset_ms, $2::bigint)
       where id = $1 and $2 <= $3::bigint`,
    values: [context.organizationId, toAt.getTime() - services.clock.now().getTime(), FURTHEST_AHEAD_MS],
  });
  if (rowCount !== 1) {
    throw new AppError("INVALID_PARAMETERS", "The clock is as far ahead of real time as it goes: ten years.");
  }
  const action = {
    kind: "MOVED_CLOCK",
    fromAt: context.now.toISOString(),
    toAt: toAt.toISOString(),
  } as const;
  await noteAction(services, context, action, toAt);
  for (const name of ALL_WORK) services.wake(name);
}
