import "server-only";
import { cookies } from "next/headers";
import { cache } from "react";
import { parseTheme, THEME_COOKIE } from "@/lib/contract/browser/setting";
import { formatShown } from "@/lib/contract/shown";
import type { TimeContext } from "@/lib/contract/time-context";
import { readClosedGates } from "@/lib/core/keys/gates";
import type { Context } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import { getRuntime, type Runtime } from "@/lib/next/runtime";
import { readLive } from "@/lib/views/read-live";
import type { ClosedGatesView, ShellView } from "@/lib/views/read-shell";

type Services = Runtime["services"];
interface Zoned {
  organization: Pick<CurrentSession["organization"], "timeZone">;
}

/** The moment of this page, in the reader's time zone. Days and months are the organization's (`timeZone`). */
export function timeOf(member: Zoned, context: Pick<Context, "now">): TimeContext {
  const viewerTimeZone = globalThis.sluiceReader?.()?.timeZone ?? undefined;
  return { ...organizationTimeOf(member, context), ...(viewerTimeZone && { viewerTimeZone }) };
}

/** Real time, unaffected by the sandbox clock (sessions, passkeys, invitations), in the reader's zone. */
export function realTimeOf({ clock }: Pick<Services, "clock">, member: Zoned): TimeContext {
  return timeOf(member, { now: clock.now() });
}

/** In the organization's zone: statements, year-end. */
export function organizationTimeOf(member: Zoned, context: Pick<Context, "now">): TimeContext {
  return { nowAt: context.now.toISOString(), timeZone: member.organization.timeZone, locale: "en-US" };
}

async function closedGatesOf(member: CurrentSession, context: Context): Promise<ClosedGatesView | null> {
  const { pool } = getRuntime().services;
  const closed = await readClosedGates(pool, context.organizationId);
  if (!closed) return null;
  return {
    closingId: closed.id,
    closedAt: closed.closedAt.toISOString(),
    closedByName: closed.closedBy.id === member.actor.id ? null : closed.closedBy.name,
    hasPasskey: await hasPasskey(pool, member.actor.id),
    time: timeOf(member, context),
  };
}

const heldShell = cache((_member: CurrentSession): { view: Promise<ShellView> | null } => ({ view: null }));

/**
 * The shell around every page. Read once per request, for the page and for app/not-found.tsx.
 * @param proposalId that chose the organization of this page, by its address
 */
export function shellOf(
  member: CurrentSession,
  context: Context,
  proposalId: string | null = null,
): Promise<ShellView> {
  const held = heldShell(member);
  held.view ??= readShell(member, context, proposalId);
  return held.view;
}

async function readShell(
  member: CurrentSession,
  context: Context,
  proposalId: string | null,
): Promise<ShellView> {
  const { services, isSandbox, sandbox, simulations, cards } = getRuntime();
  const [live, closedGates, cookieStore] = await Promise.all([
    readLive(services, context),
    closedGatesOf(member, context),
    cookies(),
  ]);
  return {
    shown: formatShown({ userId: member.actor.id, organizationId: member.organization.id, proposalId }),
    organization: { id: member.organization.id, name: member.organization.name },
    organizations: member.organizations,
    user: { name: member.actor.name, email: member.actor.email, role: member.actor.role },
    waitingCount: live.waitingCount,
    rulesCount: live.rulesCount,
    stamps: live.stamps,
    closedGates,
    onboardingHref: member.isOnboarding && mayDecide(member.actor) ? "/welcome" : null,
    isSandbox,
    hasSandboxPage: sandbox !== null || simulations !== null,
    hasCards: cards.issuesCards,
    theme: parseTheme(cookieStore.get(THEME_COOKIE)?.value),
  };
}
