import { AppError } from "@/lib/contract/error";
import { type Mandate, readMandate } from "@/lib/core/mandates/read-mandates";
import { recordMandate } from "@/lib/core/mandates/record-mandate";
import { mayNot } from "@/lib/core/mandates/write-mandate";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { type WriteRequest, type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

type StateBefore = "WAITING" | "IN_FORCE" | "ENDED" | "DENIED";

/**
 * A member ends a mandate in force, or denies one that waits, without a confirmation: it only lets less through. What was
 * accepted under it goes on. Repeating it changes nothing.
 * @returns its state before
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for an unknown one.
 */
export async function endMandate(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  id: string,
): Promise<StateBefore> {
  if (!mayDecide(context.actor)) throw mayNot("end a mandate");
  const before = await inTransaction(services.pool, async (client) => {
    const state = await end(client, context, { id, userId: context.actor.id, keyId: null });
    if (state === null)
      throw new AppError("INVALID_PARAMETERS", "There is no such mandate. Nothing was changed.");
    if (state === "WAITING") await recordMandate(client, context, id, "DENIED");
    if (state === "IN_FORCE") {
      await announceEnd(client, context, await recordMandate(client, context, id, "ENDED"));
    }
    return state;
  });
  services.wake(SEND_NOTICES);
  return before;
}

/**
 * A key withdraws its mandate while it waits, or gives it up. Repeating it answers the same.
 * @param show the response for its program
 * @throws AppError `MANDATE_NOT_FOUND` for another key's; as `writeOnce`
 */
export async function cancelOwnMandate(
  services: Pick<Services, "pool" | "wake">,
  context: Context<CallerActor>,
  id: string,
  request: WriteRequest,
  show: (mandate: Mandate) => unknown,
): Promise<WriteResult> {
  const result = await writeOnce(services, context, request, async (client) => {
    const state = await end(client, context, { id, userId: null, keyId: context.actor.id });
    const mandate = state && (await readMandate(client, context, id));
    if (!mandate) throw new AppError("MANDATE_NOT_FOUND", `This key has no mandate ${id}.`);
    if (state === "IN_FORCE") await announceEnd(client, context, id);
    return show(mandate);
  });
  services.wake(SEND_NOTICES);
  return result;
}

interface End {
  id: string;
  userId: string | null;
  keyId: string | null;
}

async function end(
  client: Queryable,
  { organizationId, now }: Context,
  { id, userId, keyId }: End,
): Promise<StateBefore | null> {
  const { rows } = await client.query<{ before: StateBefore | null }>({
    name: "end_mandate",
    text: "select end_mandate($1, $2, $3, $4, $5) as before",
    values: [organizationId, id, userId, keyId, now],
  });
  return rows[0]?.before ?? null;
}

/** @param subjectId the record of a member's act, or the mandate itself */
async function announceEnd(
  client: Queryable,
  { organizationId, now }: Context,
  subjectId: string,
): Promise<void> {
  await writeNotice(client, {
    organizationId,
    kind: "MANDATE_ENDED",
    subjectId,
    userId: null,
    digestKey: null,
    now,
  });
}
