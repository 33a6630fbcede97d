import type { TimeContext } from "@/lib/contract/views/time-context";
import type { EndpointsView } from "@/lib/contract/views/webhooks-view";
import { MAXIMUM_ENDPOINTS } from "@/lib/contract/webhooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import type { Services } from "@/lib/platform/services";
import { readEndpointFacts } from "@/lib/views/webhooks/endpoint-facts";

/** The endpoints of the organization, in the order in which they were made, as the list shows them to any member. */
export async function listEndpoints(
  services: Pick<Services, "pool">,
  setting: Pick<WebhookSetting, "allowsPrivate">,
  context: Context<MemberActor>,
  time: TimeContext,
): Promise<EndpointsView> {
  const endpoints = await readEndpointFacts(services.pool, context.organizationId, context.now);
  return {
    endpoints,
    hasRoom: endpoints.length < MAXIMUM_ENDPOINTS,
    allowsPrivate: setting.allowsPrivate,
    viewer: { canChange: mayDecide(context.actor) },
    time,
  };
}
