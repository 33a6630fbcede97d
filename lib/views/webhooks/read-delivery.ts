import { type EndpointLook, endpointLookHref } from "@/lib/contract/hrefs";
import type {
  AttemptView,
  DeliveryRowView,
  DeliveryStateView,
  DeliveryView,
} from "@/lib/contract/views/webhooks-view";
import {
  type DeliveryProblem,
  type EventResourceType,
  type EventType,
  RETRY_DELAYS_MS,
} from "@/lib/contract/webhooks";
import { eventBody } from "@/lib/core/webhooks/claim-deliveries";
import type { Queryable } from "@/lib/db/transaction";

const LISTED_ATTEMPTS = 50;

/** As stored. */
interface OpenedRow extends DeliveryRow {
  resent_at: Date | null;
  resent_by_name: string | null;
}

interface AttemptRow {
  number: number;
  attempted_at: Date;
  signed_at: Date;
  signature_start: string | null;
  duration_ms: number;
  status_code: number | null;
  problem: DeliveryProblem | null;
  answer: string | null;
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
      select ${DELIVERY_COLUMNS}, d.resent_at, resender.name as resent_by_name
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
): Promise<AttemptView[]> {
  const { rows } = await database.query<AttemptRow>({
    name: "read_delivery_attempts",
    text: `
      select number, attempted_at, signed_at, signature_start, duration_ms, status_code, problem, answer
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
): DeliveryView {
  return {
    ...toDeliveryRow(row, endpointId, look, isHeld),
    history,
    nextAttempts: isHeld ? [] : nextAttempts(row, now),
    body: eventBody({
      id: row.event_id,
      type: row.type,
      resourceType: row.resource_type,
      resourceId: row.resource_id,
      createdAt: row.created_at,
    }),
    resent: row.resent_at ? { at: row.resent_at.toISOString(), byName: row.resent_by_name } : null,
  };
}

function toAttempt(row: AttemptRow): AttemptView {
  return {
    number: row.number,
    at: row.attempted_at.toISOString(),
    durationMs: row.duration_ms,
    statusCode: row.status_code,
    problem: row.problem,
    answer: row.answer,
    signedAtSeconds: Math.floor(row.signed_at.getTime() / 1_000),
    signatureStart: row.signature_start,
  };
}

/** The scheduled attempts after the one that is due, if each fails. */
function nextAttempts(row: Pick<OpenedRow, "due_at" | "round_attempts">, now: Date): string[] {
  if (!row.due_at) return [];
  let at = Math.max(row.due_at.getTime(), now.getTime());
  return RETRY_DELAYS_MS.slice(row.round_attempts).map((delayMs) => {
    at += delayMs;
    return new Date(at).toISOString();
  });
}

export interface DeliveryRow {
  event_id: string;
  type: EventType;
  resource_type: EventResourceType;
  resource_id: string;
  is_test: boolean;
  created_at: Date;
  status: "PENDING" | "DELIVERED" | "DEAD";
  due_at: Date | null;
  attempts: number;
  round_attempts: number;
  last_status_code: number | null;
  last_problem: DeliveryProblem | null;
  delivered_at: Date | null;
}

/** Columns of `webhook_deliveries d` and `webhook_events v`. */
export const DELIVERY_COLUMNS = `
  d.event_id, v.type, v.resource_type, v.resource_id, v.is_test, v.created_at, d.status, d.due_at, d.attempts,
  d.round_attempts, d.last_status_code, d.last_problem, d.delivered_at`;

/** @param isHeld its endpoint is disabled */
export function toDeliveryRow(
  row: DeliveryRow,
  endpointId: string,
  look: EndpointLook,
  isHeld: boolean,
): DeliveryRowView {
  const openedEventId = look.openedEventId === row.event_id ? null : row.event_id;
  return {
    eventId: row.event_id,
    type: row.type,
    resource: { type: row.resource_type, id: row.resource_id },
    isTest: row.is_test,
    createdAt: row.created_at.toISOString(),
    state: stateOf(row, isHeld),
    attempts: row.attempts,
    statusCode: row.last_status_code,
    problem: row.last_problem,
    href: endpointLookHref(endpointId, { ...look, openedEventId }),
  };
}

function stateOf(row: DeliveryRow, isHeld: boolean): DeliveryStateView {
  if (row.delivered_at) return { kind: "DELIVERED", at: row.delivered_at.toISOString() };
  if (!row.due_at) return { kind: "GAVE_UP" };
  // Delivered once and resent by hand: it has not failed.
  const kind = row.last_problem === null ? "WAITING" : "RETRYING";
  return { kind, dueAt: row.due_at.toISOString(), isHeld };
}
