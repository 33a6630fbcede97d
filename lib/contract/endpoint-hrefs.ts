import type { DeliveryFilter } from "@/lib/contract/views/webhooks-view";

const LIST_HREF = "/settings/webhooks";

/** What the address of an endpoint's page says of how it is looked at. */
export interface EndpointLook {
  filter: DeliveryFilter;
  /** The event whose delivery is open. */
  openedEventId: string | null;
  /** Only events before this one. */
  before: string | null;
}

export function endpointHref(endpointId: string): string {
  return `${LIST_HREF}/${endpointId}`;
}

/** The page of an endpoint, looked at in this way; what is usual is left out of the address. */
export function endpointLookHref(
  endpointId: string,
  { filter, openedEventId, before }: EndpointLook,
): string {
  const query = new URLSearchParams();
  if (filter !== "ALL") query.set("filter", filter.toLowerCase());
  if (openedEventId !== null) query.set("event", openedEventId);
  if (before !== null) query.set("before", before);
  const text = query.toString();
  return text ? `${endpointHref(endpointId)}?${text}` : endpointHref(endpointId);
}
