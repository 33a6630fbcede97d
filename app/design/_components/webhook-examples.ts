import { TIME } from "@/app/design/_components/approval-examples";
import type { EndpointDayView, EndpointFactsView, EndpointsView } from "@/lib/views/webhooks/endpoint-facts";
import type { DeliveryRowView, DeliveryView } from "@/lib/views/webhooks/read-delivery";
import type { EndpointView } from "@/lib/views/webhooks/read-endpoint";

const DAYS: EndpointDayView[] = Array.from({ length: 30 }, (_, index) => ({
  day: new Date(Date.UTC(2026, 9, 22 + index)).toISOString().slice(0, 10),
  delivered: (index * 37) % 23,
  gaveUp: index === 28 ? 2 : 0,
  failedAttempts: index === 28 ? 18 : index === 12 ? 3 : 0,
}));

const RECEIVING: EndpointFactsView = {
  id: "019aa2d4-0000-7000-8000-000000000001",
  href: "/design?show=webhook-failing",
  url: "https://hooks.northwind.studio/sluice",
  displayUrl: "hooks.northwind.studio/sluice",
  askedEvents: [],
  secretHint: "whsec_••••••••••••k2Qf",
  createdAt: "2026-08-03T13:00:00Z",
  createdByName: "Mara Okafor",
  state: { kind: "RECEIVING" },
  lastAttemptAt: "2026-11-20T16:19:55Z",
  lastSuccessAt: "2026-11-20T16:19:55Z",
  lastFailure: { statusCode: 503, problem: "STATUS" },
  days: DAYS,
  deliveredShare: 0.987,
  retryingCount: 1,
  waitingCount: 0,
  deadCount: 2,
  replaces: null,
  replacedBy: null,
};

const FAILING: EndpointFactsView = {
  ...RECEIVING,
  id: "019aa2d4-0000-7000-8000-000000000002",
  href: "/design?show=webhook-failing",
  url: "https://ops.northwind.studio/hooks/money/incoming?team=bookkeeping",
  displayUrl: "ops.northwind.studio/hooks/money/incoming?team=bookkeeping",
  secretHint: "whsec_••••••••••••9aTx",
  state: { kind: "FAILING", since: "2026-11-20T13:40:05Z", disablesAt: "2026-11-25T13:40:05Z" },
  lastFailure: { statusCode: null, problem: "TIMEOUT" },
  deliveredShare: 0.412,
  retryingCount: 14,
  waitingCount: 3,
  deadCount: 1_000,
};

const OFF: EndpointFactsView = {
  ...RECEIVING,
  id: "019aa2d4-0000-7000-8000-000000000003",
  href: "/design?show=webhook-off",
  url: "https://old.northwind.studio/sluice",
  displayUrl: "old.northwind.studio/sluice",
  secretHint: "whsec_••••••••••••Zz_3",
  state: { kind: "OFF", at: "2026-11-19T21:40:00Z", because: "FAILING", byName: null },
  deliveredShare: 0,
  retryingCount: 6,
  waitingCount: 12,
  deadCount: 8,
};

const NEW: EndpointFactsView = {
  ...RECEIVING,
  id: "019aa2d4-0000-7000-8000-000000000004",
  secretHint: "whsec_••••••••••••p7Lm",
  state: { kind: "NEW" },
  lastAttemptAt: null,
  lastSuccessAt: null,
  lastFailure: null,
  days: DAYS.map(({ day }) => ({ day, delivered: 0, gaveUp: 0, failedAttempts: 0 })),
  deliveredShare: null,
  retryingCount: 0,
  deadCount: 0,
  replaces: { id: RECEIVING.id, href: RECEIVING.href, secretHint: RECEIVING.secretHint },
};

const viewer = { canChange: true };

export const NO_ENDPOINTS: EndpointsView = {
  endpoints: [],
  hasRoom: true,
  allowsPrivate: true,
  viewer,
  time: TIME,
};

const ROW: DeliveryRowView = {
  eventId: "0c9b7a34-51e2-4d0e-8b1e-2f6d90c477d0",
  type: "transfer.changed",
  resource: { type: "transfer", id: "019aa2d4-1c20-7a9b-83e7-6f10d2b54c16" },
  isTest: false,
  createdAt: "2026-11-20T16:19:55Z",
  state: { kind: "DELIVERED", at: "2026-11-20T16:19:55Z" },
  attempts: 1,
  statusCode: 200,
  problem: null,
  href: "/design?show=webhook-failing",
};

const RETRYING: DeliveryView = {
  ...ROW,
  eventId: "0c9b7a34-51e2-4d0e-8b1e-2f6d90c477d1",
  createdAt: "2026-11-20T13:40:05Z",
  state: { kind: "RETRYING", dueAt: "2026-11-20T17:16:00Z", isHeld: false },
  attempts: 4,
  statusCode: 503,
  problem: "STATUS",
  history: ["13:40:05", "13:40:10", "13:45:09", "14:15:07"].map((clock, index) => ({
    number: index + 1,
    at: `2026-11-20T${clock}.000Z`,
    durationMs: index === 1 ? 10_002 : 38,
    statusCode: index === 1 ? null : 503,
    problem: index === 1 ? "TIMEOUT" : "STATUS",
    answer: index === 1 ? null : "<h1>503</h1>\nupstream connect error or disconnect/reset before headers",
    signedAtSeconds: 1_795_167_605 + index,
    signatureStart: "9f2c1a3b",
  })),
  nextAttempts: ["2026-11-20T22:16:00Z", "2026-11-21T08:16:00Z", "2026-11-21T14:16:00Z"],
  body: '{"id":"0c9b7a34-51e2-4d0e-8b1e-2f6d90c477d1","type":"transfer.changed","resource":{"type":"transfer","id":"019aa2d4-1c20-7a9b-83e7-6f10d2b54c16"},"created_at":"2026-11-20T13:40:05.000Z"}',
  resent: null,
};

const DELIVERIES: DeliveryRowView[] = [
  { ...ROW, eventId: "1", isTest: true },
  { ...ROW, eventId: "2", createdAt: "2026-11-20T14:13:08Z" },
  RETRYING,
  { ...ROW, eventId: "4", createdAt: "2026-11-19T21:40:12Z", attempts: 2 },
  {
    ...ROW,
    eventId: "5",
    type: "external_transaction.changed",
    resource: { type: "external_transaction", id: "019aa2d4-1c20-7a9b-83e7-6f10d2b54c17" },
    createdAt: "2026-11-19T11:10:00Z",
  },
  {
    ...ROW,
    eventId: "6",
    createdAt: "2026-11-18T13:02:00Z",
    state: { kind: "GAVE_UP" },
    attempts: 8,
    statusCode: null,
    problem: "TIMEOUT",
  },
];

const RECEIVING_ENDPOINT: EndpointView = {
  endpoint: RECEIVING,
  filter: "ALL",
  filterHrefs: {
    ALL: "/design?show=webhook-failing",
    FAILING: "/design?show=webhook-failing",
  },
  deliveries: DELIVERIES,
  opened: RETRYING,
  olderHref: "/design?show=webhook-failing",
  newestHref: null,
  allowsPrivate: true,
  viewer,
  time: TIME,
};

export const FAILING_ENDPOINT: EndpointView = {
  ...RECEIVING_ENDPOINT,
  endpoint: FAILING,
  filter: "FAILING",
  deliveries: DELIVERIES.filter(({ problem }) => problem !== null),
  olderHref: null,
};

export const ENDPOINT_OFF: EndpointView = {
  ...RECEIVING_ENDPOINT,
  endpoint: OFF,
  opened: null,
  olderHref: null,
  viewer: { canChange: true },
};

export const ENDPOINT_FOR_A_VIEWER: EndpointView = {
  ...RECEIVING_ENDPOINT,
  endpoint: { ...RECEIVING, replacedBy: { id: NEW.id, href: NEW.href, secretHint: NEW.secretHint } },
  opened: null,
  viewer: { canChange: false },
};
