import type { PoolClient } from "pg";
import { addEndpointAct } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import { endpointHref } from "@/lib/contract/hrefs";
import { MAXIMUM_ENDPOINTS } from "@/lib/contract/limits";
import type { EndpointChange } from "@/lib/contract/organization";
import type { AskedEventType, NewEndpointResult } from "@/lib/contract/webhooks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { DELIVER_EVENTS } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { type LockedEndpoint, lockEndpoint } from "@/lib/core/webhooks/lock-endpoint";
import { makeSigningSecret, secretContext, secretHint } from "@/lib/core/webhooks/sign-delivery";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Adds an endpoint that gets the events of every endpoint, and those that it asks for, from now on (specification, Part 6, "Registration and delivery"). Its signing
 * secret is only in this result.
 * @returns `REFUSED` with a sentence for the form if the address is not allowed or in use, or there are too many
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; NotConfirmed without presence: an unattended
 * browser must not be used to send the organization's events to a stranger.
 */
export async function createEndpoint(
  services: Pick<Services, "pool" | "clock">,
  setting: Pick<WebhookSetting, "sender" | "secrets">,
  context: Context<MemberActor>,
  input: { url: string; askedEvents?: readonly AskedEventType[] },
): Promise<NewEndpointResult> {
  // Before the DNS lookup, so that members who may not add endpoints cannot cause one.
  if (!mayDecide(context.actor)) {
    throw new AppError(
      "ACCESS_DENIED",
      "Only an owner or co-owner may add an endpoint. Nothing was changed.",
    );
  }
  const url = input.url.trim();
  const problem = await setting.sender.checkUrl(url);
  if (problem !== null) return { kind: "REFUSED", message: problem, problems: { url: problem } };
  return inTransaction(services.pool, async (client): Promise<NewEndpointResult> => {
    await requireDecider(client, context, "add an endpoint");
    await requirePresence(client, context.actor, services.clock.now(), addEndpointAct(url));
    const existing = await lockEndpoints(client, context);
    const same = existing.find((endpoint) => sameAddress(endpoint.url, url));
    if (same) {
      const message = `An endpoint for this address already exists; its secret ends in ${same.secretHint}. To change the secret, recreate that endpoint.`;
      return { kind: "REFUSED", message, problems: { url: message } };
    }
    if (existing.length >= MAXIMUM_ENDPOINTS) return { kind: "REFUSED", message: NO_ROOM };
    const made = await writeEndpoint(client, setting.secrets, context, {
      url,
      replacesId: null,
      askedEvents: input.askedEvents ?? [],
    });
    await recordChange(client, context, {
      kind: "ENDPOINT",
      subject: url,
      before: null,
      after: "ADDED" satisfies EndpointChange,
    });
    return { kind: "CREATED", href: endpointHref(made.id), url, ...made };
  });
}

/** Addresses that resolve to the same request are the same. */
function sameAddress(left: string, right: string): boolean {
  return new URL(left).href === new URL(right).href;
}

/**
 * Rotates the secret without a gap, with a second endpoint at the same address (specification, Part 6, "To rotate, delete
 * and recreate the endpoint"). Both get every event under the same id, each signed with its own secret. When the new one
 * first succeeds, the old one is deleted and hands over what it still had to send (`take_endpoint_over`).
 * @returns `REFUSED` if a replacement is pending, this is a pending one, or there are too many
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner; `INVALID_PARAMETERS` for an unknown endpoint;
 * NotConfirmed without presence: the secret lets its holder forge events.
 */
export async function recreateEndpoint(
  services: Pick<Services, "pool" | "wake" | "clock">,
  setting: Pick<WebhookSetting, "secrets">,
  context: Context<MemberActor>,
  endpointId: string,
): Promise<NewEndpointResult> {
  const result = await inTransaction(services.pool, async (client): Promise<NewEndpointResult> => {
    await requireDecider(client, context, "recreate an endpoint");
    await requirePresence(client, context.actor, services.clock.now(), `RECREATE_ENDPOINT:${endpointId}`);
    const existing = await lockEndpoints(client, context);
    const old = await lockEndpoint(client, context, endpointId);
    const message = refusal(old, existing.length);
    if (message !== null) return { kind: "REFUSED", message };
    const made = await writeEndpoint(client, setting.secrets, context, {
      url: old.url,
      replacesId: old.id,
      askedEvents: old.askedEvents,
    });
    if (old.status === "DISABLED") await takeWaiting(client, context, old.id, made.id);
    await recordChange(client, context, {
      kind: "ENDPOINT",
      subject: old.url,
      before: null,
      after: "RECREATED" satisfies EndpointChange,
    });
    return { kind: "CREATED", href: endpointHref(made.id), url: old.url, ...made };
  });
  if (result.kind === "CREATED") services.wake(DELIVER_EVENTS);
  return result;
}

function refusal(old: LockedEndpoint, existingCount: number): string | null {
  if (old.replacedById !== null) {
    return "A replacement for this endpoint is already waiting. If its secret is lost, delete the replacement and recreate this endpoint again.";
  }
  if (old.waitsForId !== null) {
    return "This endpoint is a replacement that has not taken over yet. If its secret is lost, delete it and recreate the first one.";
  }
  return existingCount >= MAXIMUM_ENDPOINTS ? NO_ROOM : null;
}

/** Handed over at once; the rest follows with each success. */
const TAKEN = 10_000;

/** An endpoint that is off has no more successes to wait for, so its waiting deliveries are handed over at once. */
async function takeWaiting(
  client: PoolClient,
  { organizationId, now }: Context<MemberActor>,
  oldId: string,
  newId: string,
): Promise<void> {
  await client.query({
    name: "take_waiting_deliveries",
    text: `insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
           select $1, $3, event_id, 'PENDING', $4 from webhook_deliveries
            where organization_id = $1 and endpoint_id = $2 and status = 'PENDING'
            order by due_at, event_id limit ${TAKEN}`,
    values: [organizationId, oldId, newId, now],
  });
}

const NO_ROOM = `An organization has at most ${MAXIMUM_ENDPOINTS} endpoints. Delete one that is no longer needed and try again.`;

interface ExistingEndpoint {
  id: string;
  url: string;
  secretHint: string;
}

/**
 * The existing endpoints, locked so that none is added until the commit: two members at once cannot exceed the maximum or
 * add one address twice. Taken after the membership, before any endpoint's row.
 */
async function lockEndpoints(
  client: PoolClient,
  { organizationId }: Pick<Context, "organizationId">,
): Promise<ExistingEndpoint[]> {
  // Bounded by the connection's lock timeout.
  await client.query({
    name: "lock_webhook_endpoints",
    text: "select pg_advisory_xact_lock(hashtextextended(concat_ws('|', 'webhook endpoints', $1::text), 0))",
    values: [organizationId],
  });
  const { rows } = await client.query<ExistingEndpoint>({
    name: "read_existing_endpoints",
    text: `select id, url, secret_hint as "secretHint" from webhook_endpoints
            where organization_id = $1 and status <> 'DELETED' order by id`,
    values: [organizationId],
  });
  return rows;
}

/** `now` is business time. */
type MadeBy = Pick<Context, "organizationId" | "now"> & { actor: Pick<MemberActor, "id"> };

interface NewEndpoint {
  url: string;
  replacesId: string | null;
  /** Besides the events that every endpoint gets. */
  askedEvents: readonly AskedEventType[];
}

/** Writes an endpoint without checks. Its secret is in the result, and otherwise only stored encrypted. */
export async function writeEndpoint(
  database: Queryable,
  secrets: WebhookSetting["secrets"],
  { organizationId, actor, now }: MadeBy,
  { url, replacesId, askedEvents }: NewEndpoint,
): Promise<{ id: string; secret: string }> {
  const id = newId(now);
  const secret = makeSigningSecret();
  await database.query({
    name: "write_webhook_endpoint",
    text: `insert into webhook_endpoints
            (organization_id, id, url, sealed_secret, secret_hint, status, created_by, created_at, replaces_id,
             asked_events)
           values ($1, $2, $3, $4, $5, 'ENABLED', $6, $7, $8, $9)`,
    values: [
      organizationId,
      id,
      url,
      secrets.encrypt(secret, secretContext(organizationId, id)),
      secretHint(secret),
      actor.id,
      now,
      replacesId,
      askedEvents,
    ],
  });
  return { id, secret };
}
