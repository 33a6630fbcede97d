import type { Context, MemberActor } from "@/lib/core/shared/context";
import { endSession } from "@/lib/core/sign-in/end-session";
import { readSession } from "@/lib/core/sign-in/read-session";
import { startSession } from "@/lib/core/sign-in/start-session";
import { newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** Does something as a member who has just signed in, and signs them out again: no session outlives the demo's making. */
export async function withSignedIn<T>(
  services: Services,
  userId: string,
  act: (context: Context<MemberActor>) => Promise<T>,
): Promise<T> {
  const now = services.clock.now();
  const sessionId = await startSession(services.pool, now, {
    userId,
    proof: { method: "PASSWORD", withCode: false },
    userAgent: "Demo history",
    networkAddress: null,
  });
  const session = sessionId && (await readSession(services, sessionId));
  if (!session) throw new Error("A member of the demo cannot sign in");
  const result = await act({
    organizationId: session.organization.id,
    actor: session.actor,
    now,
    requestId: newRequestId(),
    calledReason: null,
  });
  await endSession(services, session.session.id);
  return result;
}
