import { requireConnector } from "@/lib/core/connections/require-connector";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { REFRESH_CONNECTIONS } from "@/lib/core/shared/work-names";
import type { Services } from "@/lib/platform/services";

/**
 * After the member has signed in at the institution again (`beginConnecting` with `again`): the connection is refreshed
 * at once, and that shows whether the institution is satisfied.
 * @returns false where the connection does not wait for a sign-in.
 * @throws AppError `ACCESS_DENIED`.
 */
export async function signInAgain(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  connectionId: string,
): Promise<boolean> {
  requireConnector(context);
  const { rowCount } = await services.pool.query({
    name: "resume_connection",
    text: `
      update connections set status = 'ACTIVE', refresh_due_at = $3, attempts = 0, leased_until = null
       where organization_id = $1 and id = $2 and status = 'NEEDS_SIGN_IN'`,
    values: [context.organizationId, connectionId, context.now],
  });
  if (rowCount === 1) services.wake(REFRESH_CONNECTIONS);
  return rowCount === 1;
}
