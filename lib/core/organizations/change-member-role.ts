import { decidesMoney } from "@/lib/contract/decides-money";
import { AppError } from "@/lib/contract/error";
import type { MemberRole } from "@/lib/contract/views/people";
import { noteMemberChange } from "@/lib/core/organizations/note-member-change";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

type Answer = "OK" | "MAY_NOT" | "MISSING" | "LAST_OWNER";

/**
 * Gives a member another role; it counts at their next request, and at that of their assistants. Owners and the member
 * are told by email.
 * @throws AppError `ACCESS_DENIED` for a role that the actor may not give or take, `INVALID_PARAMETERS` for nobody and
 * for the last owner. NotConfirmed without presence where either role decides about money.
 */
export async function changeMemberRole(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  change: { userId: string; role: MemberRole },
): Promise<void> {
  const { organizationId, actor } = context;
  await inTransaction(services.pool, async (client) => {
    await lockOrganization(client, organizationId);
    const before = await readRole(client, organizationId, change.userId);
    if (decidesMoney(change.role) || (before !== null && decidesMoney(before))) {
      await requirePresence(client, actor, services.clock.now());
    }
    const { rows } = await client.query<{ answer: Answer }>({
      name: "change_member_role",
      text: "select change_member_role($1, $2, $3, $4) as answer",
      values: [organizationId, actor.id, change.userId, change.role],
    });
    requireDone(rows[0]?.answer, "Nothing was changed.");
    if (before !== null && before !== change.role) {
      await noteMemberChange(client, context, { userId: change.userId, before, after: change.role });
    }
  });
  services.wake(SEND_MESSAGES);
}

/** After `lockOrganization` it stays so until the commit. Null: they are no member. */
export async function readRole(
  client: Queryable,
  organizationId: string,
  userId: string,
): Promise<MemberRole | null> {
  const { rows } = await client.query<{ role: MemberRole }>(
    "select role from memberships where organization_id = $1 and user_id = $2",
    [organizationId, userId],
  );
  return rows[0]?.role ?? null;
}

/** @throws AppError unless the database did it. */
export function requireDone(answer: Answer | undefined, consequence: string): void {
  if (answer === "OK") return;
  if (answer === "LAST_OWNER") {
    throw new AppError(
      "INVALID_PARAMETERS",
      `This is the only owner, and an organization needs one. ${consequence} Make somebody else an owner first.`,
    );
  }
  if (answer === "MISSING") {
    throw new AppError("INVALID_PARAMETERS", `They are not a member (any more). ${consequence}`);
  }
  throw new AppError(
    "ACCESS_DENIED",
    `Owners change everybody, co-owners accountants and viewers. ${consequence}`,
  );
}
