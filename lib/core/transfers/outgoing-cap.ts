import type { z } from "zod";
import { amountIn } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import type { OutgoingCap, outgoingCapSchema } from "@/lib/contract/organization";
import type { CarriedOut, WantedLimit } from "@/lib/contract/policies/asked-change";
import { askForSignatures, endOutdatedChange } from "@/lib/core/policies/asked-changes";
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
 * More waits where the policy in force asks for the signatures of others. Every owner and co-owner is notified.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS`; NotConfirmed without presence where more could leave.
 */
export async function setOutgoingCap(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { capInCents: after }: z.output<typeof outgoingCapSchema>,
): Promise<CarriedOut> {
  const result = await inTransaction(services.pool, async (client): Promise<CarriedOut> => {
    const before = await lockCap(client, context.organizationId);
    await requireDecider(client, context, "change how much may leave Sluice within 24 hours");
    if (before === after) return { kind: "DONE" };
    if ((after ?? Number.POSITIVE_INFINITY) > (before ?? Number.POSITIVE_INFINITY)) {
      if (context.actor.role !== "OWNER") {
        throw new AppError("ACCESS_DENIED", "Only an owner can let more leave Sluice. Nothing was changed.");
      }
      const act = `RAISE_OUTGOING_CAP:${amountIn(after)}` as const;
      const method = await requirePresence(client, context.actor, services.clock.now(), act);
      const wanted = { what: "OUTGOING_CAP", before, after } as const;
      const href = await askForSignatures(client, context, { wanted, subject: null }, method);
      if (href !== null) return { kind: "ASKED", href };
    }
    await changeCap(client, context, { before, after });
    return { kind: "DONE" };
  });
  services.wake(SEND_NOTICES);
  return result;
}

/**
 * Carries out a cap that was asked for, with its last signature.
 * @param askedById who asked: still an owner
 * @returns false if it was changed meanwhile, or who asked may not let more leave anymore
 */
export async function applyOutgoingCap(
  client: Queryable,
  context: Context<MemberActor>,
  { before, after }: Extract<WantedLimit, { what: "OUTGOING_CAP" }>,
  askedById: string,
): Promise<boolean> {
  if ((await lockCap(client, context.organizationId)) !== before) return false;
  const { rowCount } = await client.query(
    "select from memberships where organization_id = $1 and user_id = $2 and role = 'OWNER' for share",
    [context.organizationId, askedById],
  );
  if (rowCount !== 1) return false;
  await changeCap(client, context, { before, after });
  return true;
}

async function lockCap(client: Queryable, organizationId: string): Promise<number | null> {
  const { rows } = await client.query<OutgoingCap>(
    `select outgoing_cap_in_cents as "capInCents" from organizations where id = $1 for no key update`,
    [organizationId],
  );
  const [row] = rows;
  if (!row) throw new Error("The organization of a signed-in member was not found.");
  return row.capInCents;
}

async function changeCap(
  client: Queryable,
  context: Context<MemberActor>,
  { before, after }: { before: number | null; after: number | null },
): Promise<void> {
  await client.query("update organizations set outgoing_cap_in_cents = $2 where id = $1", [
    context.organizationId,
    after,
  ]);
  const changeId = await recordChange(client, context, {
    kind: "OUTGOING_CAP",
    subject: null,
    before: before === null ? null : String(before),
    after: after === null ? null : String(after),
  });
  await endOutdatedChange(client, context, "OUTGOING_CAP");
  await writeNotice(client, {
    organizationId: context.organizationId,
    kind: "OUTGOING_CAP_CHANGED",
    subjectId: changeId,
    userId: null,
    digestKey: null,
    now: context.now,
  });
}
