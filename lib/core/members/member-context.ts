import type { Context, MemberActor } from "@/lib/core/context";
import type { CurrentSession } from "@/lib/core/members/read-session";
import { businessTime } from "@/lib/platform/clock";
import { newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** The context of one request of a signed-in member, in the organization that they look at. */
export function memberContext(
  services: Pick<Services, "clock">,
  member: CurrentSession,
): Context<MemberActor> {
  return {
    organizationId: member.organization.id,
    actor: member.actor,
    now: businessTime(services.clock, member.organization.clockOffsetMs),
    requestId: newRequestId(),
    calledReason: null,
  };
}
