import { AppError } from "@/lib/contract/error";
import { changeOrganization } from "@/lib/core/organizations/change-organization";
import { announceGuard } from "@/lib/core/shared/announce-guard";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Changes where the organization's days begin. Periods of rule limits then begin at that zone's midnight, with their use
 * recounted; so do card months, but past spending stays in the month where it was counted. Pages and messages show the
 * zone's time. Schedules keep the zone they were activated with, so approved rules do not run at another hour. Requires
 * step-up and is announced to every owner and co-owner, because a limit that starts over lets money through. Caps on
 * money out and of keys count the last 24 hours, in no zone.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS` for an unknown zone;
 * NotConfirmed without presence.
 */
export async function changeTimeZone(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { timeZone }: { timeZone: string },
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireKnown(client, timeZone);
    // The role is checked first: step-up would not help a member who may not do this.
    const changeId = await changeOrganization(client, context, "TIME_ZONE", timeZone);
    await requirePresence(client, context.actor, services.clock.now(), `CHANGE_TIME_ZONE:${timeZone}`);
    if (changeId !== null) await announceGuard(client, context, changeId);
  });
  services.wake(SEND_NOTICES);
}

/** The database also computes months and days: a zone unknown to it would stop every card. */
async function requireKnown(client: Queryable, timeZone: string): Promise<void> {
  const { rowCount } = await client.query("select 1 from pg_timezone_names where name = $1", [timeZone]);
  if (rowCount !== 1)
    throw new AppError("INVALID_PARAMETERS", "timeZone: must be a time zone like America/New_York");
}
