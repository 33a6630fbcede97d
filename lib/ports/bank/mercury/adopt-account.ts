import { adopt, readAdoption } from "@/lib/ports/bank/adoption";
import { keepEvents } from "@/lib/ports/bank/inbox";
import { toListed } from "@/lib/ports/bank/listed-event";
import {
  eventForm,
  eventsSchema,
  type Mercury,
  type MercurySetting,
  read,
} from "@/lib/ports/bank/mercury/call-mercury";

/** Whose events: of this account. */
export const feedOf = ({ accountId }: MercurySetting) => `mercury:${accountId}`;

/**
 * Adopts the account at Mercury for the first organization that needs it. Events from before are not read: they are as
 * old as the account.
 * @returns whether it belongs to this organization
 */
export async function adoptAccount(mercury: Mercury, organizationId: string): Promise<boolean> {
  const { pool, setting, call } = mercury;
  const before = await readAdoption(pool, setting.accountId);
  if (before) return before.organizationId === organizationId;
  const path = "/events?resourceType=transaction&order=desc&limit=1";
  const { events } = read(eventsSchema, await call({ method: "GET", path }));
  const listed = events.map((event) => toListed(event, eventForm));
  await keepEvents(pool, feedOf(setting), listed);
  const adoption = await adopt(pool, setting.accountId, organizationId);
  return adoption.organizationId === organizationId;
}
