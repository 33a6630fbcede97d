import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { timeZoneSchema } from "@/lib/contract/organization";
import { changeOrganization } from "@/lib/core/organizations/change-organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { parseInput } from "@/lib/core/sign-in/person";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const inputSchema = z.object({ timeZone: timeZoneSchema });

/**
 * Changes where the organization's days begin. From then on: a day, week, month or year of a rule's limit begins at that
 * zone's midnight, and what it has used is counted anew from there; a card's month does too, what it spent before stays
 * in the month in which it was counted; pages and messages show that zone's clock. A rule with a schedule keeps the zone
 * that it was activated with, so nothing that people approved runs at another hour. It takes a proof: a limit that
 * begins anew lets money through.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS` for an unknown zone;
 * NotConfirmed without presence.
 */
export async function changeTimeZone(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  input: { timeZone: string },
): Promise<void> {
  const { timeZone } = parseInput(inputSchema, input);
  await inTransaction(services.pool, async (client) => {
    await requireKnown(client, timeZone);
    // Who may not is told so, and not asked for a proof that would not help.
    await changeOrganization(client, context, "TIME_ZONE", timeZone);
    await requirePresence(client, context.actor, services.clock.now());
  });
}

/** The database counts months and days too: a zone that it does not know would stop every card. */
async function requireKnown(client: Queryable, timeZone: string): Promise<void> {
  const { rowCount } = await client.query("select 1 from pg_timezone_names where name = $1", [timeZone]);
  if (rowCount !== 1)
    throw new AppError("INVALID_PARAMETERS", "timeZone: must be a time zone like America/New_York");
}
