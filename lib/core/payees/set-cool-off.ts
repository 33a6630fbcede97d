import type { z } from "zod";
import type { CoolOff, coolOffSchema } from "@/lib/contract/payee";
import type { CarriedOut, WantedLimit } from "@/lib/contract/policies/asked-change";
import { askForSignatures, endOutdatedChange } from "@/lib/core/policies/asked-changes";
import { announceGuard } from "@/lib/core/shared/announce-guard";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Sets how long new and changed payees cool off, and above which amount. Payees that cool off already keep their end. What
 * lets more leave, or sooner, waits where the policy in force asks for the signatures of others.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS`; NotConfirmed without presence
 * where more could leave, or sooner; that is announced to every owner and co-owner.
 */
export async function setPayeeCoolOff(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { aboveInCents, hours }: z.output<typeof coolOffSchema>,
): Promise<CarriedOut> {
  const after = { aboveInCents, hours };
  const result = await inTransaction(services.pool, async (client): Promise<CarriedOut> => {
    const before = await lockCoolOff(client, context.organizationId);
    await requireDecider(client, context, "change how payees cool off");
    if (isSame(before, after)) return { kind: "DONE" };
    if (letsMore(before, after)) {
      const act = `SHORTEN_COOL_OFF:${aboveInCents}:${hours}` as const;
      const method = await requirePresence(client, context.actor, services.clock.now(), act);
      const wanted = { what: "PAYEE_COOL_OFF", before, after } as const;
      const href = await askForSignatures(client, context, { wanted, subject: null }, method);
      if (href !== null) return { kind: "ASKED", href };
    }
    await changeCoolOff(client, context, { before, after });
    return { kind: "DONE" };
  });
  services.wake(SEND_NOTICES);
  return result;
}

/**
 * Carries out a cool-off that was asked for, with its last signature.
 * @returns false if it was changed meanwhile
 */
export async function applyCoolOff(
  client: Queryable,
  context: Context<MemberActor>,
  { before, after }: Extract<WantedLimit, { what: "PAYEE_COOL_OFF" }>,
): Promise<boolean> {
  if (!isSame(await lockCoolOff(client, context.organizationId), before)) return false;
  await changeCoolOff(client, context, { before, after });
  return true;
}

const isSame = (one: CoolOff, other: CoolOff) =>
  one.aboveInCents === other.aboveInCents && one.hours === other.hours;
const letsMore = (before: CoolOff, after: CoolOff) =>
  after.aboveInCents > before.aboveInCents || after.hours < before.hours;

async function lockCoolOff(client: Queryable, organizationId: string): Promise<CoolOff> {
  const { rows } = await client.query<CoolOff>(
    `select payee_cool_off_above_in_cents as "aboveInCents", payee_cool_off_hours as hours
       from organizations where id = $1 for no key update`,
    [organizationId],
  );
  const [row] = rows;
  if (!row) throw new Error("The organization of a signed-in member was not found.");
  return row;
}

async function changeCoolOff(
  client: Queryable,
  context: Context<MemberActor>,
  { before, after }: { before: CoolOff; after: CoolOff },
): Promise<void> {
  await client.query(
    "update organizations set payee_cool_off_above_in_cents = $2, payee_cool_off_hours = $3 where id = $1",
    [context.organizationId, after.aboveInCents, after.hours],
  );
  const changeId = await recordChange(client, context, {
    kind: "PAYEE_COOL_OFF",
    subject: null,
    before: `${before.aboveInCents} ${before.hours}`,
    after: `${after.aboveInCents} ${after.hours}`,
  });
  if (letsMore(before, after)) await announceGuard(client, context, changeId);
  await endOutdatedChange(client, context, "PAYEE_COOL_OFF");
}
