import type { EndpointChange } from "@/lib/contract/organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { lockEndpoint } from "@/lib/core/webhooks/lock-endpoint";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Sends nothing to an endpoint until it is switched on again. What happens meanwhile waits for it, as long as events
 * are kept. One that is off stays as it is, with who or what switched it off.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when there is no such endpoint
 */
export async function switchOffEndpoint(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  endpointId: string,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "switch off an endpoint");
    const endpoint = await lockEndpoint(client, context, endpointId);
    if (endpoint.status === "DISABLED") return;
    await client.query({
      name: "switch_off_webhook_endpoint",
      text: `update webhook_endpoints
                set status = 'DISABLED', disabled_at = $3, disabled_because = 'MEMBER', disabled_by = $4
              where organization_id = $1 and id = $2`,
      values: [context.organizationId, endpoint.id, context.now, context.actor.id],
    });
    await recordChange(client, context, {
      kind: "ENDPOINT",
      subject: endpoint.url,
      before: null,
      after: "OFF" satisfies EndpointChange,
    });
  });
}
