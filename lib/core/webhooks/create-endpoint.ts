import type { PoolClient } from "pg";
import { AppError } from "@/lib/contract/error";
import { endpointHref } from "@/lib/contract/hrefs";
import type { EndpointChange } from "@/lib/contract/organization";
import type { NewEndpointResult } from "@/lib/contract/views/webhooks-view";
import { MAXIMUM_ENDPOINTS } from "@/lib/contract/webhooks";
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
  if (problem !== null) return { kind: "REFUSED", message: problem, problems: { url: problem } };
  return inTransaction(services.pool, async (client): Promise<NewEndpointResult> => {
    await requireDecider(client, context, "make an endpoint");
    await requirePresence(client, context.actor, services.clock.now());
    const existing = await lockEndpoints(client, context);
    const same = existing.find((endpoint) => sameAddress(endpoint.url, url));
    if (same) {
      const message = `There is an endpoint for this address already; its secret ends in ${same.secretHint}. To change the secret, recreate that one.`;
      return { kind: "REFUSED", message, problems: { url: message } };
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

/**
 * A new secret without a gap: makes a second endpoint at the same address (specification, Part 6, "To rotate, delete and
 * recreate the endpoint"). Both are sent every event under the same id, each signed with its own secret. The first time
 * that the new one succeeds the old one goes, and what it still had to send is handed on (`take_endpoint_over`).
 * @returns `REFUSED` where a replacement waits already, this is one that waits, or there are too many
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when there is no such endpoint;
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
    await requirePresence(client, context.actor, services.clock.now());
    const existing = await lockEndpoints(client, context);
    const old = await lockEndpoint(client, context, endpointId);
    const message = refusal(old, existing.length);
    if (message !== null) return { kind: "REFUSED", message };
    const made = await writeEndpoint(client, setting.secrets, context, { url: old.url, replacesId: old.id });
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
    return "A new endpoint for this address waits already to take this one's place. If its secret is lost, delete that one, and recreate this one again.";
  }
  if (old.waitsForId !== null) {
    return "This endpoint has yet to take another one's place. If its secret is lost, delete it, and recreate the first one.";
  }
  return existingCount >= MAXIMUM_ENDPOINTS ? NO_ROOM : null;
}

/** At once; more is handed on with each success. */
const TAKEN = 10_000;

/** An endpoint that is off sends nothing more: were the new one to wait for its own first event, what waits would too. */
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

const NO_ROOM = `An organization has at most ${MAXIMUM_ENDPOINTS} endpoints. Delete one that is not needed, and try again.`;

interface ExistingEndpoint {
  id: string;
  url: string;
  secretHint: string;
}

/**
 * The endpoints that there are, none more until the commit: two members at once never make the twenty-first, nor one
 * address twice. Taken after the membership, before any endpoint's row.
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
  const { rows } = await client.query<{ id: string; url: string; secret_hint: string }>({
    name: "read_existing_endpoints",
    text: `select id, url, secret_hint from webhook_endpoints where organization_id = $1 and status <> 'DELETED'
            order by id`,
    values: [organizationId],
  });
  return rows.map((row) => ({ id: row.id, url: row.url, secretHint: row.secret_hint }));
}

/** Who makes it, and when (business time). */
type MadeBy = Pick<Context, "organizationId" | "now"> & { actor: Pick<MemberActor, "id"> };

/** Writes an endpoint that has been checked. Its secret is in the answer, and nowhere else but sealed. */
export async function writeEndpoint(
  database: Queryable,
  secrets: WebhookSetting["secrets"],
  { organizationId, actor, now }: MadeBy,
  { url, replacesId }: { url: string; replacesId: string | null },
): Promise<{ id: string; secret: string }> {
  const id = newId(now);
  const secret = makeSigningSecret();
  await database.query({
    name: "write_webhook_endpoint",
    text: `insert into webhook_endpoints
            (organization_id, id, url, sealed_secret, secret_hint, status, created_by, created_at, replaces_id)
           values ($1, $2, $3, $4, $5, 'ENABLED', $6, $7, $8)`,
    values: [
      organizationId,
      id,
      url,
      secrets.encrypt(secret, secretContext(organizationId, id)),
      secretHint(secret),
      actor.id,
      now,
      replacesId,
    ],
  });
  return { id, secret };
}
