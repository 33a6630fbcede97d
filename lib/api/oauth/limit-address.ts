import { OAUTH_PATHS } from "@/lib/api/oauth/addresses";
import { networkOf } from "@/lib/core/shared/network-of";
import { type Throttled, takeAttempt } from "@/lib/core/shared/throttle";
import type { Services } from "@/lib/platform/services";

const MINUTE_MS = 60_000;

/** Requests of one network, which a whole office may share. Each of them is a row, or a call to another server. */
const LIMITS = {
  authorize: { limit: 200, windowMs: 10 * MINUTE_MS },
  register: { limit: 60, windowMs: 10 * MINUTE_MS },
  token: { limit: 600, windowMs: 10 * MINUTE_MS },
  document: { limit: 30, windowMs: 10 * MINUTE_MS },
} as const;

type Limited = keyof typeof LIMITS;

/** What of the authorization server is limited by itself; the rest costs nothing. */
export function limitedAs(path: string): Limited | null {
  if (path === OAUTH_PATHS.register) return "register";
  if (path === OAUTH_PATHS.token || path === OAUTH_PATHS.revoke) return "token";
  return path === OAUTH_PATHS.authorize || path.startsWith(`${OAUTH_PATHS.authorize}/`) ? "authorize" : null;
}

/** Null: it may go on. */
export async function limitAddress(
  services: Pick<Services, "pool" | "clock">,
  what: Limited,
  address: string | null,
): Promise<Throttled | null> {
  const subject = `oauth-${what}:${networkOf(address)}`;
  const taken = await takeAttempt(services, [{ subject, ...LIMITS[what] }]);
  return taken.kind === "THROTTLED" ? taken : null;
}
