import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import { fingerprint, type IdempotentCall } from "@/lib/core/shared/idempotency";
import { endSession } from "@/lib/core/sign-in/end-session";
import { readSession } from "@/lib/core/sign-in/read-session";
import { startSession } from "@/lib/core/sign-in/start-session";
import { newRequestId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** Runs one request as a demo key, counted and dated as the API does. */
export async function asKey(
  services: Pick<Services, "pool" | "clock">,
  keyText: string | undefined,
  calledReason: string | null,
): Promise<Context<CallerActor>> {
  const authentication = await authenticateApiKey(services, keyText ?? "");
  if (!authentication) throw new Error("A demo key failed to authenticate");
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

/** Acts as a member who has just signed in, then signs them out: no session outlives the creation of the demo. */
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
  if (!session) throw new Error("A demo member could not sign in");
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
