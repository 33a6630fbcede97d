import { REMEMBERED_RECEIPTS, type ReceiverMode } from "@/lib/contract/sandbox";
import { EVENT_RETENTION_DAYS } from "@/lib/contract/webhooks";
import { type PlannedAttempt, planDeliveries } from "@/lib/core/demo/plan-deliveries";
import type { WebhookTimes } from "@/lib/core/demo/plan-history";
import type { Cast } from "@/lib/core/demo/play-history";
import { type DemoChange, readChanges } from "@/lib/core/demo/read-changes";
import { newReceiverToken, RECEIVER_TEXTS, receiverAddress } from "@/lib/core/sandbox/receiver";
import { eventBody, type StoredEvent } from "@/lib/core/webhooks/claim-deliveries";
import { writeEndpoint } from "@/lib/core/webhooks/create-endpoint";
import { recordAttempt } from "@/lib/core/webhooks/record-attempt";
import { signDelivery } from "@/lib/core/webhooks/sign-delivery";
import type { WebhookSetting } from "@/lib/core/webhooks/webhook-setting";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** A change and its event. */
interface DemoEvent extends DemoChange {
  event: StoredEvent;
}

interface Endpoint {
  organizationId: string;
  id: string;
  secret: string;
}

const DAY_MS = 86_400_000;
const MODES: Record<PlannedAttempt<DemoEvent>["statusCode"], ReceiverMode> = {
  204: "OK",
  500: "ERROR",
  503: "UNAVAILABLE",
};

/**
 * Gives the demo an endpoint that sends to the sandbox's receiver, with the deliveries of the last thirty days.
 * Attempts are recorded through the worker's functions, so health and daily counts add up. The clock of `services` must
 * be at the end of the history, and no one else may see the database yet. No one learns the secret.
 */
export async function playDeliveries(
  services: Services,
  { secrets }: Pick<WebhookSetting, "secrets">,
  { organizationId, memberIds }: Pick<Cast, "organizationId" | "memberIds">,
  times: WebhookTimes,
): Promise<void> {
  const now = services.clock.now();
  const since = new Date(now.getTime() - EVENT_RETENTION_DAYS * DAY_MS);
  const token = newReceiverToken();
  await services.pool.query(
    "insert into sandbox_receivers (organization_id, token, mode, created_at) values ($1, $2, 'OK', $3)",
    [organizationId, token, times.madeAt],
  );
  const made = await writeEndpoint(
    services.pool,
    secrets,
    { organizationId, actor: { id: memberIds.JONAS }, now: times.madeAt },
    { url: receiverAddress(services.appUrl, token), replacesId: null, askedEvents: [] },
  );
  const endpoint = { organizationId, ...made };
  const events = (await readChanges(services.pool, organizationId, since, now)).map(toEvent);
  await writeEvents(services, endpoint, events);
  const attempts = planDeliveries(events, times, now);
  for (const attempt of attempts) {
    if (attempt.isResent) await sendAgain(services, endpoint, attempt, memberIds.MARA);
    await record(services, endpoint, attempt);
  }
  await rememberReceipts(services, organizationId, attempts);
}

function toEvent(change: DemoChange): DemoEvent {
  const { resourceType, resourceId, at } = change;
  const type = `${resourceType}.changed` as const;
  return { ...change, event: { id: newId(at), type, resourceType, resourceId, createdAt: at } };
}

/** As the triggers write them. */
async function writeEvents(
  { pool }: Pick<Services, "pool">,
  endpoint: Endpoint,
  events: readonly DemoEvent[],
): Promise<void> {
  await pool.query(
    `with events as (
       insert into webhook_events (organization_id, id, type, resource_type, resource_id, created_at)
         select $1, * from unnest($3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::timestamptz[])
       returning id, created_at)
     insert into webhook_deliveries (organization_id, endpoint_id, event_id, status, due_at)
       select $1, $2, id, 'PENDING', created_at from events`,
    [
      endpoint.organizationId,
      endpoint.id,
      events.map(({ event }) => event.id),
      events.map(({ event }) => event.type),
      events.map(({ event }) => event.resourceType),
      events.map(({ event }) => event.resourceId),
      events.map(({ event }) => event.createdAt),
    ],
  );
}

/** Resends by hand, as a member does on the endpoint's page: the schedule starts over. */
async function sendAgain(
  { pool }: Pick<Services, "pool">,
  endpoint: Endpoint,
  { change, startedAt }: PlannedAttempt<DemoEvent>,
  memberId: string,
): Promise<void> {
  await pool.query(
    `update webhook_deliveries set status = 'PENDING', due_at = $4, round_attempts = 0, resent_at = $4, resent_by = $5
      where organization_id = $1 and endpoint_id = $2 and event_id = $3 and status = 'DEAD'`,
    [endpoint.organizationId, endpoint.id, change.event.id, startedAt, memberId],
  );
}

async function record(
  { pool }: Pick<Services, "pool">,
  { organizationId, id, secret }: Endpoint,
  { change, startedAt, durationMs, statusCode, roundAttempts, retryInMs }: PlannedAttempt<DemoEvent>,
): Promise<void> {
  await recordAttempt(pool, {
    organizationId,
    endpointId: id,
    eventId: change.event.id,
    startedAt: startedAt.toISOString(),
    finishedAt: new Date(startedAt.getTime() + durationMs).toISOString(),
    signatureStart: signDelivery(secret, eventBody(change.event), startedAt).start,
    durationMs,
    statusCode,
    problem: statusCode === 204 ? null : "STATUS",
    answer: RECEIVER_TEXTS[statusCode] ?? "",
    roundAttempts,
    retryInMs,
  });
}

/** Stores the receipts at the receiver. */
async function rememberReceipts(
  { pool }: Pick<Services, "pool">,
  organizationId: string,
  attempts: readonly PlannedAttempt<DemoEvent>[],
): Promise<void> {
  const places = attempts.map((attempt, index) => ({ ...attempt, place: index + 1 }));
  const last = places.slice(-REMEMBERED_RECEIPTS);
  await pool.query(
    `insert into sandbox_receipts (organization_id, slot, place, mode, event_id, type, resource_type, resource_id,
         received_at)
       select $1, place % ${REMEMBERED_RECEIPTS}, place, mode, event_id, type, resource_type, resource_id, received_at
         from unnest($2::bigint[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::uuid[], $8::timestamptz[])
           as r (place, mode, event_id, type, resource_type, resource_id, received_at)`,
    [
      organizationId,
      last.map(({ place }) => place),
      last.map(({ statusCode }) => MODES[statusCode]),
      last.map(({ change }) => change.event.id),
      last.map(({ change }) => change.event.type),
      last.map(({ change }) => change.event.resourceType),
      last.map(({ change }) => change.event.resourceId),
      last.map(({ startedAt }) => startedAt),
    ],
  );
  await pool.query("update sandbox_receivers set received = $2 where organization_id = $1", [
    organizationId,
    places.length,
  ]);
}
