import { AppError } from "@/lib/contract/error";
import { changeOrganization } from "@/lib/core/organizations/change-organization";
import { tellOfSecondFactor } from "@/lib/core/organizations/tell-of-second-factor";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_MESSAGES } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { hasEnrolledFactor } from "@/lib/core/sign-in/second-factors";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Asks a second factor of every member of the organization, or of nobody any more: a passkey, or the code of an app with
 * the password. It counts at the next request of every session, the open ones included: where none was given, nothing of
 * the organization is shown until it is. Keys and assistants are not people, and go on. Every member is told by email.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS` where they have none themself:
 * the rule would lock out whoever made it. NotConfirmed without presence.
 */
export async function askSecondFactor(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  { isAsked }: { isAsked: boolean },
): Promise<void> {
  const { actor } = context;
  await inTransaction(services.pool, async (client) => {
    // As where a factor is removed: of the two at the same moment, the second one finds what the first one did.
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    const isNew = await changeOrganization(client, context, "SECOND_FACTOR", isAsked);
    await requirePresence(client, actor, services.clock.now());
    if (isAsked && !(await hasEnrolledFactor(client, actor.id))) throw needsOwnFactor();
    if (isNew) await tellOfSecondFactor(client, context, isAsked);
  });
  services.wake(SEND_MESSAGES);
}

function needsOwnFactor(): AppError {
  return new AppError(
    "INVALID_PARAMETERS",
    "You have no second factor yourself. Nothing was changed. Add a passkey or an authenticator app under Settings, Security first.",
  );
}
