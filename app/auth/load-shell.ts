import "server-only";
import { cookies } from "next/headers";
import { signOut, switchOrganization } from "@/app/auth/shell-actions";
import { setTheme } from "@/app/set-theme";
import type { ShellActions, ShellView } from "@/lib/contract/views/shell-view";
import { parseTheme, THEME_COOKIE } from "@/lib/contract/views/theme-cookie";
import { readWaiting } from "@/lib/core/approvals/read-waiting";
import { mayDecide } from "@/lib/core/keys/permits";
import type { CurrentSession } from "@/lib/core/members/read-session";
import { businessTime } from "@/lib/platform/clock";
import { getRuntime } from "@/lib/platform/runtime";

export const shellActions: ShellActions = { signOut, switchOrganization, setTheme };

/** What surrounds every page of a signed-in member. */
export async function loadShell(current: CurrentSession): Promise<ShellView> {
  const { services, isSandbox } = getRuntime();
  const { actor, organization, organizations } = current;
  const now = businessTime(services.clock, organization.clockOffsetMs);
  const waiting = mayDecide(actor) ? await readWaiting(services.pool, organization.id, null, now) : null;
  return {
    organization: { id: organization.id, name: organization.name },
    organizations,
    user: { name: actor.name, email: actor.email, role: actor.role },
    waitingCount: waiting?.count ?? 0,
    isSandbox,
    theme: parseTheme((await cookies()).get(THEME_COOKIE)?.value),
  };
}
