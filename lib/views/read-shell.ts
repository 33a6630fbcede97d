import type { Theme } from "@/lib/contract/browser/setting";
import { formatShown } from "@/lib/contract/shown";
import type { TimeContext } from "@/lib/contract/time-context";
import { readClosedGates } from "@/lib/core/keys/gates";
import type { Context } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Services } from "@/lib/platform/services";
import { readLive } from "@/lib/views/read-live";
import type { TimedReading } from "@/lib/views/reading";

/** What the installation and the browser add to a member's shell. */
interface Surroundings {
  /** True until a real bank is configured: the shell then says that no real money moves. */
  isSandbox: boolean;
  /** Whether members may simulate the outside world, because none of it is real. */
  hasSandboxPage: boolean;
  /** Whether cards are offered: nothing invented is, beside real money. */
  hasCards: boolean;
  theme: Theme;
}

/**
 * What surrounds every page of a signed-in member.
 * @param proposalId that chose the organization of this page, by its address
 */
export async function readShell(
  { services, context, time }: TimedReading,
  member: CurrentSession,
  { proposalId, surroundings }: { proposalId: string | null; surroundings: Surroundings },
) {
  const { actor, organization } = member;
  const [live, closedGates] = await Promise.all([
    readLive({ services, context }),
    describeClosedGates(services, member, context, time),
  ]);
  return {
    /** The member and organization this page showed, sent with every request (lib/contract/shown.ts). */
    shown: formatShown({ userId: actor.id, organizationId: organization.id, proposalId }),
    organization: { id: organization.id, name: organization.name },
    /** All organizations of this member, the current one included. */
    organizations: member.organizations,
    user: { name: actor.name, email: actor.email, role: actor.role },
    // Their stamps are of the data this page was rendered from: when they differ, it is out of date.
    ...live,
    closedGates,
    /** Where the first steps of a new organization continue; null once ended, and for readers who may not take them. */
    onboardingHref: member.isOnboarding && mayDecide(actor) ? "/welcome" : null,
    ...surroundings,
  };
}

export type ShellView = Awaited<ReturnType<typeof readShell>>;

/** Null while the gates are open. Closed: nothing of the organization moves until an owner or co-owner opens them. */
async function describeClosedGates(
  { pool }: Pick<Services, "pool">,
  { actor }: CurrentSession,
  { organizationId }: Context,
  time: TimeContext,
) {
  const closed = await readClosedGates(pool, organizationId);
  if (!closed) return null;
  return {
    closingId: closed.id,
    /** Business time. */
    closedAt: closed.closedAt.toISOString(),
    /** Null: the reader. */
    closedByName: closed.closedBy.id === actor.id ? null : closed.closedBy.name,
    /** Whether the reader opens with a passkey. */
    hasPasskey: await hasPasskey(pool, actor.id),
    time,
  };
}
