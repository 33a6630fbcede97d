import type { z } from "zod";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import type { OutgoingCap, outgoingCapSchema } from "@/lib/contract/organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** What an organization may send out of Sluice within 24 hours. */
export interface OutgoingRoom {
  capInCents: number;
  /** Never below zero. */
  leftInCents: number;
}

/**
 * The cap on money out and what is left of it now; null: no cap. Consistent with an acceptance only after
 * `lock_outgoing`, as all acceptances count.
 * @param now business time
 */
export async function readOutgoingRoom(
  database: Queryable,
  organizationId: string,
  now: Date,
): Promise<OutgoingRoom | null> {
  return (await readOutgoingRooms(database, [organizationId], now)).get(organizationId) ?? null;
}

/** As `readOutgoingRoom`, by id; organizations without a cap are omitted. */
export async function readOutgoingRooms(
  database: Queryable,
  organizationIds: readonly string[],
  now: Date,
): Promise<Map<string, OutgoingRoom>> {
  const { rows } = await database.query<OutgoingRoom & { organizationId: string }>({
    name: "read_outgoing_rooms",
    text: `select o.id as "organizationId", o.cap as "capInCents",
        greatest(0, o.cap - outgoing_used(o.id, $2)) as "leftInCents"
      from (select id, outgoing_cap(id) as cap from unnest($1::uuid[]) as asked (id)) o where o.cap is not null`,
    values: [[...new Set(organizationIds)], now],
  });
  return new Map(rows.map(({ organizationId, ...room }) => [organizationId, room]));
}

/**
 * Sets or lifts what may leave Sluice within 24 hours. Only an owner, with presence, lets more leave; a co-owner may lower it.
 * Every owner and co-owner is notified.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS`; NotConfirmed without presence where more could leave.
 */
export async function setOutgoingCap(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { capInCents }: z.output<typeof outgoingCapSchema>,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<OutgoingCap>(
      `select outgoing_cap_in_cents as "capInCents" from organizations where id = $1 for no key update`,
      [context.organizationId],
    );
    const [before] = rows;
    if (!before) throw new Error("The organization of a signed-in member was not found.");
    await requireDecider(client, context, "change how much may leave Sluice within 24 hours");
    if (before.capInCents === capInCents) return;
    if ((capInCents ?? Number.POSITIVE_INFINITY) > (before.capInCents ?? Number.POSITIVE_INFINITY)) {
      if (context.actor.role !== "OWNER") {
        throw new AppError("ACCESS_DENIED", "Only an owner can let more leave Sluice. Nothing was changed.");
      }
      await requirePresence(
        client,
        context.actor,
        services.clock.now(),
        `RAISE_OUTGOING_CAP:${amountIn(capInCents)}`,
      );
    }
    await client.query("update organizations set outgoing_cap_in_cents = $2 where id = $1", [
      context.organizationId,
      capInCents,
    ]);
    const changeId = await recordChange(client, context, {
      kind: "OUTGOING_CAP",
      subject: null,
      before: before.capInCents === null ? null : String(before.capInCents),
      after: capInCents === null ? null : String(capInCents),
    });
    await writeNotice(client, {
      organizationId: context.organizationId,
      kind: "OUTGOING_CAP_CHANGED",
      subjectId: changeId,
      userId: null,
      digestKey: null,
      now: context.now,
    });
  });
  services.wake(SEND_NOTICES);
}
