import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { callBackNoteSchema } from "@/lib/contract/payee";
import { readPayeeChange } from "@/lib/core/payees/payee-change";
import { requireOneOfItsName } from "@/lib/core/payees/payee-names";
import { lockPayee, recordPayeeEvent } from "@/lib/core/payees/payee-record";
import { lockPayeeList } from "@/lib/core/payees/propose-payee";
import { type SignedChange, signChange } from "@/lib/core/policies/sign-change";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

type DecidingServices = Pick<Services, "pool" | "clock" | "wake">;

export const confirmPayeeSchema = z.object({
  payeeId: z.uuid(),
  /** What the member saw: a confirmation never covers details that arrived after the page was loaded. */
  detailsId: z.uuid(),
  /** Who was called back, on which number; null when nobody was called. */
  callBackNote: callBackNoteSchema.nullable(),
});

interface ConfirmedRow {
  name: string;
  accountNumberLast4: string;
  version: number;
}

/**
 * Confirms the waiting details: from now on money may be sent to this account, and nothing else makes a payee payable. It
 * then cools off. Transfers to its earlier account that have not left yet fail (`lease_bank_orders`). Where the policy in
 * force asks for several people, all but the last one only sign.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks whose signature counts; `INVALID_PARAMETERS` when these
 * details no longer wait, because they were decided or replaced. NotConfirmed without presence.
 */
export async function confirmPayee(
  services: DecidingServices,
  context: Context<MemberActor>,
  { payeeId, detailsId, callBackNote }: z.output<typeof confirmPayeeSchema>,
): Promise<{ kind: "CONFIRMED" | "SIGNED" }> {
  const { organizationId, actor, now } = context;
  const result = await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "confirm a payee");
    const method = await requirePresence(client, actor, services.clock.now(), `CONFIRM_PAYEE:${detailsId}`);
    await lockPayeeList(client, organizationId);
    const payee = await lockPayee(client, organizationId, payeeId);
    await requireOneOfItsName(client, organizationId, detailsId);
    const by = { kind: "MEMBER", id: actor.id, name: actor.name } as const;
    const waiting = await requireWaiting(client, organizationId, { payeeId, detailsId });
    const signed = await signChange(client, context, waiting.change, method);
    if (signed.kind === "REFUSED")
      throw new AppError("ACCESS_DENIED", `${signed.message} Nothing was changed.`);
    if (signed.kind === "SIGNED") {
      const { accountNumberLast4 } = waiting;
      const event = { payeeId, by, name: payee.name, accountNumberLast4, version: null, note: callBackNote };
      await recordPayeeEvent(client, context, { ...event, kind: "SIGNED" });
      return { kind: "SIGNED" } as const;
    }
    const { rows } = await client.query<ConfirmedRow>({
      name: "confirm_payee",
      text: `select name, account_number_last4 as "accountNumberLast4", version from confirm_payee($1, $2, $3, $4, $5, $6)`,
      values: [organizationId, payeeId, detailsId, actor.id, callBackNote, now],
    });
    const confirmed = rows[0];
    if (!confirmed) throw waitsNoLonger();
    await recordPayeeEvent(client, context, {
      payeeId,
      kind: "CONFIRMED",
      by,
      ...confirmed,
      note: callBackNote,
    });
    return { kind: "CONFIRMED" } as const;
  });
  services.wake(SEND_NOTICES);
  return result;
}

/** Under the payee's lock. @throws AppError `INVALID_PARAMETERS` */
async function requireWaiting(
  client: Queryable,
  organizationId: string,
  { payeeId, detailsId }: { payeeId: string; detailsId: string },
): Promise<{ change: SignedChange; accountNumberLast4: string }> {
  const { rows } = await client.query<{ accountNumberLast4: string }>({
    name: "read_waiting_details",
    text: `select account_number_last4 as "accountNumberLast4" from payee_details
      where organization_id = $1 and payee_id = $2 and id = $3 and state = 'WAITING'`,
    values: [organizationId, payeeId, detailsId],
  });
  const change = await readPayeeChange(client, organizationId, detailsId);
  if (!rows[0] || !change) throw waitsNoLonger();
  return { change, ...rows[0] };
}

/**
 * Declines the waiting details. A confirmed account stays confirmed. No step-up: it only prevents.
 * @throws AppError as `confirmPayee`.
 */
export async function declinePayeeDetails(
  services: DecidingServices,
  context: Context<MemberActor>,
  { payeeId, detailsId }: Omit<z.output<typeof confirmPayeeSchema>, "callBackNote">,
): Promise<void> {
  const { organizationId, actor, now } = context;
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "decline a payee");
    const payee = await lockPayee(client, organizationId, payeeId);
    const { rows } = await client.query<{ accountNumberLast4: string }>(
      `update payee_details set state = 'DECLINED', decided_by = $4, decided_at = $5
        where organization_id = $1 and payee_id = $2 and id = $3 and state = 'WAITING' returning account_number_last4 as "accountNumberLast4"`,
      [organizationId, payeeId, detailsId, actor.id, now],
    );
    const declined = rows[0];
    if (!declined) throw waitsNoLonger();
    await recordPayeeEvent(client, context, {
      payeeId,
      kind: "DECLINED",
      by: { kind: "MEMBER", id: actor.id, name: actor.name },
      name: payee.name,
      accountNumberLast4: declined.accountNumberLast4,
      version: null,
      note: null,
    });
  });
  services.wake(SEND_NOTICES);
}

/** Under the payee's lock: of two members who decide at once, the second one finds it decided. */
function waitsNoLonger(): AppError {
  return new AppError(
    "INVALID_PARAMETERS",
    "These details were already decided or replaced. Nothing was changed. Reload the page.",
  );
}

/**
 * Removes a payee. Nothing can be sent to it anymore; what has not left ends. Rules and keys that name it are refused.
 * No step-up: it only prevents.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` where there is no such payee.
 */
export async function removePayee(
  services: DecidingServices,
  context: Context<MemberActor>,
  payeeId: string,
): Promise<void> {
  const { organizationId, actor, now } = context;
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "remove a payee");
    const payee = await lockPayee(client, organizationId, payeeId);
    await client.query(
      `update payee_details set state = 'DECLINED', decided_by = $3, decided_at = $4
        where organization_id = $1 and payee_id = $2 and state = 'WAITING'`,
      [organizationId, payeeId, actor.id, now],
    );
    await client.query("delete from payee_links where organization_id = $1 and payee_id = $2", [
      organizationId,
      payeeId,
    ]);
    await client.query(
      "update payees set removed_at = $3, updated_at = $3 where organization_id = $1 and id = $2",
      [organizationId, payeeId, now],
    );
    await client.query(
      "update accounts set deleted_at = $3, updated_at = $3 where organization_id = $1 and id = $2",
      [organizationId, payeeId, now],
    );
    await recordPayeeEvent(client, context, {
      payeeId,
      kind: "REMOVED",
      by: { kind: "MEMBER", id: actor.id, name: actor.name },
      name: payee.name,
      accountNumberLast4: null,
      version: null,
      note: null,
    });
  });
  services.wake(SEND_NOTICES);
}
