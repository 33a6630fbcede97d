import type { EndpointChange } from "@/lib/contract/organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { lockEndpoint } from "@/lib/core/webhooks/lock-endpoint";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Deletes an endpoint for good, with its secret. What it still had to be sent never leaves; of an attempt that is under
 * way the answer is recorded, and nothing follows from it. The endpoint that it was to replace stays as it is, and so
 * does the one that was to replace it.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when there is no such endpoint;
 * NotConfirmed without presence: deleting silences whoever watches, and drops what waits.
 */
export async function deleteEndpoint(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  endpointId: string,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "delete an endpoint");
    await requirePresence(client, context.actor, services.clock.now());
    const { url } = await lockEndpoint(client, context, endpointId);
    await client.query({
      name: "delete_webhook_endpoint",
      text: `update webhook_endpoints set status = 'DELETED', sealed_secret = null, deleted_at = $3, deleted_by = $4
              where organization_id = $1 and id = $2`,
      values: [context.organizationId, endpointId, context.now, context.actor.id],
    });
    await recordChange(client, context, {
      kind: "ENDPOINT",
      subject: url,
      before: null,
      after: "DELETED" satisfies EndpointChange,
    });
  });
}
