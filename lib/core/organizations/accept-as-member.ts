import { AppError } from "@/lib/contract/error";
import { takeInvitation } from "@/lib/core/organizations/find-invitation";
import { joinOrganization, lookAt } from "@/lib/core/organizations/join-organization";
import type { MemberActor } from "@/lib/core/shared/context";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Somebody who is signed in joins another organization, at which their browser looks from then on.
 * @throws AppError `ACCESS_DENIED` when the link invites another address, `INVALID_PARAMETERS` when it works no longer.
 */
export async function acceptAsMember(
  services: Pick<Services, "pool" | "clock" | "wake">,
  actor: Pick<MemberActor, "id" | "sessionId">,
  token: string,
): Promise<void> {
  const now = services.clock.now();
  await inTransaction(services.pool, async (client) => {
    const taken = await takeInvitation(client, token, now);
    if (!taken) {
      throw new AppError("INVALID_PARAMETERS", "This invitation works no longer. Ask for another one.");
    }
    const { rowCount } = await client.query("select 1 from users where id = $1 and lower(email) = $2", [
      actor.id,
      taken.email,
    ]);
    if (rowCount !== 1) {
      throw new AppError(
        "ACCESS_DENIED",
        "This invitation is for somebody else. Sign in as them to accept it. Nothing was changed.",
      );
    }
    await joinOrganization(client, taken, actor.id, now);
    await lookAt(client, { sessionId: actor.sessionId, userId: actor.id }, taken.organizationId);
  });
  services.wake(SEND_NOTICES);
}
