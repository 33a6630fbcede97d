import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Closes all gates of the organization at once and without a question (decisions page, "Close all gates"): keys,
 * assistants, hooks, rules and cards move nothing any more, and what was accepted and has not left waits with its hold.
 * When this returns, no transaction that was told that the gates are open is still under way. Closing closed gates does
 * nothing.
 * @throws AppError `ACCESS_DENIED` for whoever is neither owner nor co-owner at this moment.
 */
export async function closeGates(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
): Promise<void> {
  const { organizationId, actor, now } = context;
  const { rows } = await services.pool.query<{ outcome: "CLOSED" | "ALREADY" | "MAY_NOT" }>({
    name: "close_gates",
    text: "select close_gates($1, $2, $3, $4, $5) as outcome",
    values: [organizationId, newId(now), newId(now), actor.id, now],
  });
  if (rows[0]?.outcome === "MAY_NOT") {
    throw new AppError(
      "ACCESS_DENIED",
      "Only an owner or co-owner may close the gates. Nothing was stopped: tell one of them.",
    );
  }
  services.wake(SEND_NOTICES);
}
