import type { EventResourceType, EventType, WebhookEvent } from "@/lib/contract/webhooks";

export interface StoredEvent {
  id: string;
  type: EventType;
  resourceType: EventResourceType;
  resourceId: string;
  createdAt: Date;
}

/** The body of an event's deliveries: identifiers only, and the same bytes in every attempt (specification, Part 6). */
export function eventBody(event: StoredEvent): string {
  const body: WebhookEvent = {
    id: event.id,
    type: event.type,
    resource: { type: event.resourceType, id: event.resourceId },
    created_at: event.createdAt.toISOString(),
  };
  return JSON.stringify(body);
}
