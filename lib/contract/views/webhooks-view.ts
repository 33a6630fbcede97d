import type { Refused } from "@/lib/contract/refused";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { DeliveryProblem, EventResourceType, EventType } from "@/lib/contract/webhooks";

/** Where an endpoint stands. */
export type EndpointStateView =
  /** Nothing was sent yet. */
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
  /** Without its scheme, as the title shows it: `hooks.northwind.studio/sluice`. */
  displayUrl: string;
  /** `whsec_••••••••••••k2Qf`. */
  secretHint: string;
  madeAt: string;
  madeByName: string | null;
  state: EndpointStateView;
  lastAttemptAt: string | null;
  lastSuccessAt: string | null;
  /** What came of the last attempt for the newest event that has not arrived; null where every one has. */
  lastFailure: { statusCode: number | null; problem: DeliveryProblem } | null;
  /** The last 30 days, days without deliveries included. */
  days: EndpointDayView[];
  /** Of what ended in those days; null when nothing did. 0 to 1. */
  deliveredShare: number | null;
  /** Deliveries that have failed and will be tried again; counted up to 1,000. */
  retryingCount: number;
  /** Not yet tried: of an endpoint that is switched off, what it would get; counted up to 1,000. */
  waitingCount: number;
  /** Given up, and not sent again since; counted up to 1,000. */
  deadCount: number;
  /** This one takes that one's place when it succeeds for the first time. */
  replaces: { id: string; href: string; secretHint: string } | null;
  /** That one will take this one's place. */
  replacedBy: { id: string; href: string; secretHint: string } | null;
}

/** The list of endpoints. */
export interface EndpointsView {
  endpoints: EndpointFactsView[];
  /** Whether one more may be made. */
  hasRoom: boolean;
  /** http and private addresses are allowed here (WEBHOOK_ALLOW_PRIVATE). */
  allowsPrivate: boolean;
  viewer: { canChange: boolean };
  time: TimeContext;
}

export type DeliveryStateView =
  /** Not tried yet. `isHeld`: the endpoint is switched off. */
  | { kind: "WAITING"; dueAt: string; isHeld: boolean }
  | { kind: "RETRYING"; dueAt: string; isHeld: boolean }
  | { kind: "DELIVERED"; at: string }
  | { kind: "GAVE_UP" };

export interface DeliveryRowView {
  eventId: string;
  type: EventType;
  resource: { type: EventResourceType; id: string };
  isTest: boolean;
  /** When the event was made. */
  createdAt: string;
  state: DeliveryStateView;
  attempts: number;
  /** Of the last attempt. */
  statusCode: number | null;
  problem: DeliveryProblem | null;
  /** Opens and closes its details, in the address. */
  href: string;
}

export interface AttemptView {
  number: number;
  at: string;
  durationMs: number;
  statusCode: number | null;
  problem: DeliveryProblem | null;
  answer: string | null;
  /** Real time, Unix seconds: the `t` that was signed. */
  signedAtSeconds: number;
  /** First eight hex digits of `v1`; null where it could not be signed. */
  signatureStart: string | null;
}

/** One delivery, opened. */
export interface DeliveryView extends DeliveryRowView {
  /** Oldest first; the last 50. */
  history: AttemptView[];
  /** When the next ones come while it goes on failing, without jitter; empty when none do. */
  nextAttempts: string[];
  /** The body, byte for byte. */
  body: string;
  /** A member sent it again by hand, last at. */
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
  /** Older ones, by a cursor in the address. */
  olderHref: string | null;
  newestHref: string | null;
  allowsPrivate: boolean;
  viewer: { canChange: boolean };
  time: TimeContext;
}

/** A new endpoint with its secret, which is shown this once. */
export type NewEndpointResult =
  | { kind: "CREATED"; id: string; href: string; url: string; secret: string }
  | Refused;

/** Sent again: how many deliveries are due now. `hasMore`: as many as one call takes, and there are others. */
export type ReplayResult = { kind: "REPLAYED"; count: number; hasMore: boolean } | Refused;
export type EndpointChangeResult = { kind: "CHANGED" } | Refused;
export type TestEventResult = { kind: "SENT"; eventId: string; href: string } | Refused;
