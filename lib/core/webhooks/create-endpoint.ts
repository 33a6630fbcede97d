import { endpointHref } from "@/lib/contract/endpoint-hrefs";
import { AppError } from "@/lib/contract/error";
import type { EndpointChange } from "@/lib/contract/organization";
import type { NewEndpointResult } from "@/lib/contract/views/webhooks-view";
import { MAXIMUM_ENDPOINTS } from "@/lib/contract/webhooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/require-decider";
import { requirePresence } from "@/lib/core/sign-in/presence";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import { lockEndpoints, NO_ROOM, writeEndpoint } from "@/lib/core/webhooks/write-endpoint";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Makes an endpoint that gets every event from now on (specification, Part 6, "Registration and delivery"). Its
 * signing secret is in this answer and nowhere after it.
 * @returns `REFUSED` with a sentence for the form where the address cannot be, is taken, or there are too many
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; NotConfirmed without presence: a browser left open
 * must not send the organization's events to a stranger.
 */
export async function createEndpoint(
  services: Pick<Services, "pool" | "clock">,
  setting: Pick<WebhookSetting, "sender" | "secrets">,
  context: Context<MemberActor>,
  input: { url: string },
): Promise<NewEndpointResult> {
  // Before the address is looked up: whoever may not make endpoints has no names resolved for them.
  if (!mayDecide(context.actor)) {
    throw new AppError(
      "ACCESS_DENIED",
      "Only an owner or co-owner may make an endpoint. Nothing was changed.",
    );
  }
  const url = input.url.trim();
  const problem = await setting.sender.checkUrl(url);
  if (problem !== null) return { kind: "REFUSED", message: problem, field: "url" };
  return inTransaction(services.pool, async (client): Promise<NewEndpointResult> => {
    await requireDecider(client, context, "make an endpoint");
    await requirePresence(client, context.actor, services.clock.now());
    const existing = await lockEndpoints(client, context);
    const same = existing.find((endpoint) => sameAddress(endpoint.url, url));
    if (same) {
      const message = `There is an endpoint for this address already; its secret ends in ${same.secretHint}. To change the secret, recreate that one.`;
      return { kind: "REFUSED", message, field: "url" };
    }
    if (existing.length >= MAXIMUM_ENDPOINTS) return { kind: "REFUSED", message: NO_ROOM };
    const made = await writeEndpoint(client, setting.secrets, context, { url, replacesId: null });
    await recordChange(client, context, {
      kind: "ENDPOINT",
      subject: url,
      before: null,
      after: "ADDED" satisfies EndpointChange,
    });
    return { kind: "CREATED", href: endpointHref(made.id), url, ...made };
  });
}

/** Written differently, an address is the same where a request to it is. */
function sameAddress(left: string, right: string): boolean {
  return new URL(left).href === new URL(right).href;
}
