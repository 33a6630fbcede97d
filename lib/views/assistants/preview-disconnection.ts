import type { DisconnectionView } from "@/lib/contract/views/assistants-view";
import { requireDisconnectable } from "@/lib/core/keys/require-disconnectable";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import { previewRevocation } from "@/lib/views/keys/preview-revocation";

/**
 * What disconnecting an assistant would deny and stop at this moment.
 * @throws AppError as `requireDisconnectable`.
 */
export async function previewDisconnection(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  assistantId: string,
): Promise<DisconnectionView> {
  await requireDisconnectable(services.pool, context, assistantId);
  return previewRevocation(services.pool, context.organizationId, assistantId, context.now);
}
