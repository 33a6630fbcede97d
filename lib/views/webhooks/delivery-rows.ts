import type { EndpointLook } from "@/lib/contract/endpoint-hrefs";
import { endpointLookHref } from "@/lib/contract/endpoint-hrefs";
import type { DeliveryRowView, DeliveryStateView } from "@/lib/contract/views/webhooks-view";
import type { DeliveryProblem, EventResourceType, EventType } from "@/lib/contract/webhooks";

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

/** Of `webhook_deliveries d` and `webhook_events v`. */
export const DELIVERY_COLUMNS = `
  d.event_id, v.type, v.resource_type, v.resource_id, v.is_test, v.created_at, d.status, d.due_at, d.attempts,
  d.round_attempts, d.last_status_code, d.last_problem, d.delivered_at`;

/** @param isHeld its endpoint is switched off */
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
  // Delivered once and sent again by hand, it has not failed.
  const kind = row.last_problem === null ? "WAITING" : "RETRYING";
  return { kind, dueAt: row.due_at.toISOString(), isHeld };
}
