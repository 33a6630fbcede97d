import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { businessTime } from "@/lib/platform/clock";
import { newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** The context of a signed-in member's request, in the organization that they view, once they meet its requirements. */
export function memberContext(
  services: Pick<Services, "clock">,
  member: CurrentSession,
): Context<MemberActor> {
  // Every action leads through here: a page that forgets to check shows nothing instead of everything.
  if (member.lacksSecondFactor) throw new Error("A session acted without the second factor that it needs.");
  return {
    organizationId: member.organization.id,
    actor: member.actor,
    now: businessTime(services.clock, member.organization.clockOffsetMs),
    requestId: newRequestId(),
    calledReason: null,
  };
}
