import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import { fingerprint, type IdempotentCall } from "@/lib/core/shared/idempotency";
import { endSession } from "@/lib/core/sign-in/end-session";
import { readSession } from "@/lib/core/sign-in/read-session";
import { startSession } from "@/lib/core/sign-in/start-session";
import { newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** One request of a key of the demo, counted and dated as the API's own. */
export async function asKey(
  services: Pick<Services, "pool" | "clock">,
  keyText: string | undefined,
  calledReason: string | null,
): Promise<Context<CallerActor>> {
  const authentication = await authenticateApiKey(services, keyText ?? "");
  if (!authentication) throw new Error("A key of the demo does not authenticate");
  const { organizationId, actor, now } = authentication;
  return { organizationId, actor, now, requestId: newRequestId(), calledReason };
}

export function idempotentCall(
  { operation, path }: Pick<IdempotentCall, "operation" | "path">,
  key: string | null,
  body: unknown,
): IdempotentCall | null {
  return key === null ? null : { operation, path, key, fingerprint: fingerprint(body) };
}

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
