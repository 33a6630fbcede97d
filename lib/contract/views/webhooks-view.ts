import type { Refused } from "@/lib/contract/refused";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { DeliveryProblem, EventResourceType, EventType } from "@/lib/contract/webhooks";

/** State of an endpoint. */
export type EndpointStateView =
  /** Nothing sent yet. */
  | { kind: "NEW" }
  | { kind: "RECEIVING" }
  /** Every attempt since then failed. */
  | { kind: "FAILING"; since: string; disablesAt: string }
  | { kind: "OFF"; at: string; because: "FAILING" | "GONE" | "MEMBER"; byName: string | null };

/** One day of the organization, oldest first in a list. */
export interface EndpointDayView {
  /** ISO date. */
  day: string;
  delivered: number;
  gaveUp: number;
  failedAttempts: number;
}

export interface EndpointFactsView {
  id: string;
  href: string;
  url: string;
  /** Without its scheme, for titles: `hooks.northwind.studio/sluice`. */
  displayUrl: string;
  /** `whsec_••••••••••••k2Qf`. */
  secretHint: string;
  madeAt: string;
  madeByName: string | null;
  state: EndpointStateView;
  lastAttemptAt: string | null;
  lastSuccessAt: string | null;
  /** Outcome of the last attempt for the newest undelivered event; null if every event arrived. */
  lastFailure: { statusCode: number | null; problem: DeliveryProblem } | null;
  /** The last 30 days, including days without deliveries. */
  days: EndpointDayView[];
  /** Success rate of deliveries that ended in those days; null without any. 0 to 1. */
  deliveredShare: number | null;
  /** Failed deliveries that will be retried; counted up to 1,000. */
  retryingCount: number;
  /** Not attempted yet: for a disabled endpoint, its backlog; counted up to 1,000. */
  waitingCount: number;
  /** Failed for good and not sent again since; counted up to 1,000. */
  deadCount: number;
  /** Replaces that endpoint with its first success. */
  replaces: { id: string; href: string; secretHint: string } | null;
  /** That endpoint will replace this one. */
  replacedBy: { id: string; href: string; secretHint: string } | null;
}

/** The list of endpoints. */
export interface EndpointsView {
  endpoints: EndpointFactsView[];
  /** Whether another one can be created. */
  hasRoom: boolean;
  /** http and private addresses are allowed here (WEBHOOK_ALLOW_PRIVATE). */
  allowsPrivate: boolean;
  viewer: { canChange: boolean };
  time: TimeContext;
}

export type DeliveryStateView =
  /** Not attempted yet. `isHeld`: the endpoint is disabled. */
  | { kind: "WAITING"; dueAt: string; isHeld: boolean }
  | { kind: "RETRYING"; dueAt: string; isHeld: boolean }
  | { kind: "DELIVERED"; at: string }
  | { kind: "GAVE_UP" };

export interface DeliveryRowView {
  eventId: string;
  type: EventType;
  resource: { type: EventResourceType; id: string };
  isTest: boolean;
  /** When the event was created. */
  createdAt: string;
  state: DeliveryStateView;
  attempts: number;
  /** Of the last attempt. */
  statusCode: number | null;
  problem: DeliveryProblem | null;
  /** Opens and closes its details, in the URL. */
  href: string;
}

export interface AttemptView {
  number: number;
  at: string;
  durationMs: number;
  statusCode: number | null;
  problem: DeliveryProblem | null;
  answer: string | null;
  /** Real time, Unix seconds: the signed `t`. */
  signedAtSeconds: number;
  /** First eight hex digits of `v1`; null if it could not be signed. */
  signatureStart: string | null;
}

/** One delivery, opened. */
export interface DeliveryView extends DeliveryRowView {
  /** Oldest first; the last 50. */
  history: AttemptView[];
  /** Times of the next attempts if it keeps failing, without jitter; empty without any. */
  nextAttempts: string[];
  /** The body, byte for byte. */
  body: string;
  /** When a member last sent it again by hand. */
  resent: { at: string; byName: string | null } | null;
}

export type DeliveryFilter = "ALL" | "FAILING";

/** The page of one endpoint. */
export interface EndpointView {
  endpoint: EndpointFactsView;
  filter: DeliveryFilter;
  filterHrefs: Record<DeliveryFilter, string>;
  /** Newest first; 25 a page. */
  deliveries: DeliveryRowView[];
  opened: DeliveryView | null;
  /** Older ones, by a cursor in the URL. */
  olderHref: string | null;
  newestHref: string | null;
  allowsPrivate: boolean;
  viewer: { canChange: boolean };
  time: TimeContext;
}

/** A new endpoint with its secret, shown only once. */
export type NewEndpointResult =
  | { kind: "CREATED"; id: string; href: string; url: string; secret: string }
  | Refused;

/** Sent again: how many deliveries are due now. `hasMore`: the maximum of one call, and there are others. */
export type ReplayResult = { kind: "REPLAYED"; count: number; hasMore: boolean } | Refused;
export type TestEventResult = { kind: "SENT"; eventId: string; href: string } | Refused;
