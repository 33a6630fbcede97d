import { requireConnector } from "@/lib/core/connections/begin-connecting";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { takeAttempt } from "@/lib/core/shared/throttle";
import { REFRESH_CONNECTIONS } from "@/lib/core/shared/work-names";
import type { Services } from "@/lib/platform/services";

/** In 15 minutes: beyond that a provider bills or refuses. */
const REFRESHES_PER_CONNECTION = 10;

type RefreshNow =
  /** Due now; the worker picks it up a moment later. */
  | { kind: "DUE" }
  | { kind: "THROTTLED"; retryAfterSeconds: number }
  /** No such connection, or it has ended or waits for a sign-in. */
  | { kind: "NOT_ACTIVE" };

/**
 * Makes a connection due at once.
 * @throws AppError `ACCESS_DENIED`.
 */
export async function refreshNow(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  connectionId: string,
): Promise<RefreshNow> {
  requireConnector(context);
  const subject = `refresh:${context.organizationId}:${connectionId}`;
  const attempt = await takeAttempt(services, [{ subject, limit: REFRESHES_PER_CONNECTION }]);
  if (attempt.kind === "THROTTLED") return attempt;
  const { rowCount } = await services.pool.query({
    name: "refresh_now",
    text: `
      update connections set refresh_due_at = least(refresh_due_at, $3)
       where organization_id = $1 and id = $2 and status = 'ACTIVE'`,
    values: [context.organizationId, connectionId, context.now],
  });
  if (rowCount === 0) return { kind: "NOT_ACTIVE" };
  services.wake(REFRESH_CONNECTIONS);
  return { kind: "DUE" };
}
