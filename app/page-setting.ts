import "server-only";
import { cookies } from "next/headers";
import { cache } from "react";
import { parseTheme, THEME_COOKIE } from "@/lib/contract/browser/setting";
import { processValues } from "@/lib/contract/process-values";
import type { TimeContext } from "@/lib/contract/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { getRuntime, type Runtime } from "@/lib/next/runtime";
import { readShell, type ShellView } from "@/lib/views/read-shell";

type Services = Runtime["services"];
interface Zoned {
  organization: Pick<CurrentSession["organization"], "timeZone">;
}

/** The moment of this page, in the reader's time zone. Days and months are the organization's (`timeZone`). */
export function timeOf(member: Zoned, context: Pick<Context, "now">): TimeContext {
  const viewerTimeZone = processValues().currentReader?.()?.timeZone ?? undefined;
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

const heldShell = cache((_member: CurrentSession): { view: Promise<ShellView> | null } => ({ view: null }));

/**
 * The shell around every page. Read once per request, for the page and for app/not-found.tsx.
 * @param proposalId that chose the organization of this page, by its address
 */
export function shellOf(
  member: CurrentSession,
  context: Context<MemberActor>,
  proposalId: string | null = null,
): Promise<ShellView> {
  const held = heldShell(member);
  held.view ??= readShellOf(member, context, proposalId);
  return held.view;
}

async function readShellOf(
  member: CurrentSession,
  context: Context<MemberActor>,
  proposalId: string | null,
): Promise<ShellView> {
  const { services, isSandbox, sandbox, simulations, cards } = getRuntime();
  const cookieStore = await cookies();
  return readShell({ services, context, time: timeOf(member, context) }, member, {
    proposalId,
    surroundings: {
      isSandbox,
      hasSandboxPage: sandbox !== null || simulations !== null,
      hasCards: cards.issuesCards,
      theme: parseTheme(cookieStore.get(THEME_COOKIE)?.value),
    },
  });
}
