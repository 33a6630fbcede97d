import { authenticateApiKey } from "@/lib/core/keys/authenticate-api-key";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { fingerprint, type IdempotentCall } from "@/lib/core/shared/idempotency";
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
