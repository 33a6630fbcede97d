import { type EndpointLook, endpointLookHref } from "@/lib/contract/hrefs";
import {
  type DeliveryProblem,
  type EventResourceType,
  type EventType,
  RETRY_DELAYS_MS,
} from "@/lib/contract/webhooks";
import { eventBody } from "@/lib/core/webhooks/claim-deliveries";
import type { Queryable } from "@/lib/db/transaction";

export type DeliveryStateView =
  /** Not attempted yet. `isHeld`: the endpoint is disabled. */
  | { kind: "WAITING"; dueAt: string; isHeld: boolean }
  | { kind: "RETRYING"; dueAt: string; isHeld: boolean }
  | { kind: "DELIVERED"; at: string }
  | { kind: "GAVE_UP" };

const LISTED_ATTEMPTS = 50;

/** As stored. */
interface OpenedRow extends DeliveryRow {
  resentAt: Date | null;
  resentByName: string | null;
}

interface AttemptRow {
  number: number;
  at: Date;
  durationMs: number;
  statusCode: number | null;
  problem: DeliveryProblem | null;
  answer: string | null;
  /** Real time. */
  signedAt: Date;
  /** First eight hex digits of `v1`; null if it could not be signed. */
  signatureStart: string | null;
}

interface DeliveryKey {
  organizationId: string;
  endpointId: string;
  eventId: string;
}

/** One delivery; null if this endpoint was never sent such an event, or it has been deleted. */
export async function readDelivery(
  database: Queryable,
  { organizationId, endpointId, eventId }: DeliveryKey,
): Promise<OpenedRow | null> {
  const { rows } = await database.query<OpenedRow>({
    name: "read_delivery",
    text: `
      select ${DELIVERY_COLUMNS}, d.resent_at as "resentAt", resender.name as "resentByName"
        from webhook_deliveries d
        join webhook_events v on v.organization_id = $1 and v.id = d.event_id
        left join users resender on resender.id = d.resent_by
       where d.organization_id = $1 and d.endpoint_id = $2 and d.event_id = $3`,
    values: [organizationId, endpointId, eventId],
  });
  return rows[0] ?? null;
}

/** Its last attempts, oldest first. */
export async function readAttempts(
  database: Queryable,
  { organizationId, endpointId, eventId }: DeliveryKey,
) {
  const { rows } = await database.query<AttemptRow>({
    name: "read_delivery_attempts",
    text: `
      select number, attempted_at as at, signed_at as "signedAt", signature_start as "signatureStart",
          duration_ms as "durationMs", status_code as "statusCode", problem, answer
        from webhook_attempts where organization_id = $1 and endpoint_id = $2 and event_id = $3
       order by number desc limit ${LISTED_ATTEMPTS}`,
    values: [organizationId, endpointId, eventId],
  });
  return rows.map(toAttempt).reverse();
}

interface OpenedSetting {
  endpointId: string;
  look: EndpointLook;
  /** Its endpoint is disabled. */
  isHeld: boolean;
  /** Business time. */
  now: Date;
}

/** The open delivery as a page shows it. */
export function toDelivery(
  row: OpenedRow,
  history: AttemptView[],
  { endpointId, look, isHeld, now }: OpenedSetting,
) {
  return {
    ...toDeliveryRow(row, endpointId, look, isHeld),
    /** Oldest first; the last 50. */
    history,
    /** Times of the next attempts if it keeps failing, without jitter; empty without any. */
    nextAttempts: isHeld ? [] : nextAttempts(row, now),
    /** The body, byte for byte. */
    body: eventBody({ ...row, id: row.eventId }),
    /** When a member last sent it again by hand. */
    resent: row.resentAt ? { at: row.resentAt.toISOString(), byName: row.resentByName } : null,
  };
}

/** One delivery, opened. */
export type DeliveryView = ReturnType<typeof toDelivery>;

function toAttempt({ signedAt, ...row }: AttemptRow) {
  return {
    ...row,
    at: row.at.toISOString() /** Real time, Unix seconds: the signed `t`. */,
    signedAtSeconds: Math.floor(signedAt.getTime() / 1_000),
  };
}

export type AttemptView = ReturnType<typeof toAttempt>;

/** The scheduled attempts after the one that is due, if each fails. */
function nextAttempts(row: Pick<OpenedRow, "dueAt" | "roundAttempts">, now: Date): string[] {
  if (!row.dueAt) return [];
  let at = Math.max(row.dueAt.getTime(), now.getTime());
  return RETRY_DELAYS_MS.slice(row.roundAttempts).map((delayMs) => {
    at += delayMs;
    return new Date(at).toISOString();
  });
}

export interface DeliveryRow {
  eventId: string;
  type: EventType;
  resourceType: EventResourceType;
  resourceId: string;
  isTest: boolean;
  createdAt: Date;
  dueAt: Date | null;
  attempts: number;
  roundAttempts: number;
  lastStatusCode: number | null;
  lastProblem: DeliveryProblem | null;
  deliveredAt: Date | null;
}

/** Columns of `webhook_deliveries d` and `webhook_events v`. */
export const DELIVERY_COLUMNS = `
  d.event_id as "eventId", v.type, v.resource_type as "resourceType", v.resource_id as "resourceId",
  v.is_test as "isTest", v.created_at as "createdAt", d.due_at as "dueAt", d.attempts,
  d.round_attempts as "roundAttempts", d.last_status_code as "lastStatusCode", d.last_problem as "lastProblem",
  d.delivered_at as "deliveredAt"`;

/** @param isHeld its endpoint is disabled */
export function toDeliveryRow(row: DeliveryRow, endpointId: string, look: EndpointLook, isHeld: boolean) {
  const openedEventId = look.openedEventId === row.eventId ? null : row.eventId;
  return {
    eventId: row.eventId,
    type: row.type,
    resource: { type: row.resourceType, id: row.resourceId },
    isTest: row.isTest,
    /** When the event was created. */
    createdAt: row.createdAt.toISOString(),
    state: stateOf(row, isHeld),
    attempts: row.attempts,
    /** Of the last attempt. */
    statusCode: row.lastStatusCode,
    problem: row.lastProblem,
    /** Opens and closes its details, in the URL. */
    href: endpointLookHref(endpointId, { ...look, openedEventId }),
  };
}

export type DeliveryRowView = ReturnType<typeof toDeliveryRow>;

function stateOf(row: DeliveryRow, isHeld: boolean): DeliveryStateView {
  if (row.deliveredAt) return { kind: "DELIVERED", at: row.deliveredAt.toISOString() };
  if (!row.dueAt) return { kind: "GAVE_UP" };
  // Delivered once and resent by hand: it has not failed.
  const kind = row.lastProblem === null ? "WAITING" : "RETRYING";
  return { kind, dueAt: row.dueAt.toISOString(), isHeld };
}
