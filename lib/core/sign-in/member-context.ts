import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { businessTime } from "@/lib/platform/clock";
import { newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** The context of one request of a signed-in member, in the organization that they look at, and that lets them in. */
export function memberContext(
  services: Pick<Services, "clock">,
  member: CurrentSession,
): Context<MemberActor> {
  // Every way to act leads through here: a page that forgot to ask shows nothing, rather than everything.
  if (member.lacksSecondFactor)
    throw new Error("A session without the second factor that is asked of it acted.");
  return {
    organizationId: member.organization.id,
    actor: member.actor,
    now: businessTime(services.clock, member.organization.clockOffsetMs),
    requestId: newRequestId(),
    calledReason: null,
  };
}
