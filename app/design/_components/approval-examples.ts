import type { ApprovalStatus } from "@/lib/contract/approvals/approval";
import type { TimeContext } from "@/lib/contract/time-context";
import type { HistoryItemView } from "@/lib/views/approvals/build-history";
import type { TransferApprovalView } from "@/lib/views/approvals/get-approval";

export const TIME: TimeContext = {
  nowAt: "2026-11-20T16:26:00Z",
  timeZone: "America/New_York",
  locale: "en-US",
};

const PROPOSED: HistoryItemView[] = [
  { kind: "PROPOSED", at: "2026-11-20T13:40:00Z", byName: "claude-bookkeeping" },
  {
    kind: "NOTIFIED",
    at: "2026-11-20T13:40:00Z",
    channel: "EMAIL",
    isReminder: false,
    recipients: ["Mara", "Jonas"],
    deliveredCount: 2,
    failedCount: 0,
  },
  {
    kind: "NOTIFIED",
    at: "2026-11-20T13:40:00Z",
    channel: "SMS",
    isReminder: false,
    recipients: ["••31", "••08"],
    deliveredCount: 2,
    failedCount: 0,
  },
];

const DENIED_AT = new Set([9, 23, 24, 38]);

/** Q4 tax, waiting: the proposal of the mocks. */
export const WAITING: TransferApprovalView = {
  id: "7c1e5f0e-2b7d-7f6e-9d0a-3f61b2a944d0",
  shortId: "7c1e…44d0",
  kind: "TRANSFER",
  status: "WAITING",
  requestedAmountInCents: null,
  amountInCents: 425_000,
  reverses: null,
  achLabel: "Q4 TAX",
  source: {
    id: "5c0e1f0a-0000-7000-8000-00000000b41d",
    name: "Operating",
    kind: "POD",
    isOutside: false,
    nowInCents: 1_842_055,
    afterInCents: 1_417_055,
    floorInCents: 800_000,
  },
  destination: {
    id: "a91b77d2-0000-7000-8000-0000000007fe",
    name: "Taxes",
    kind: "POD",
    isOutside: false,
    nowInCents: 931_000,
    afterInCents: 1_356_000,
    floorInCents: null,
  },
  signing: null,
  labels: { externalId: "tax-2026-q4", metadata: [{ key: "quarter", value: "2026-Q4" }] },
  documents: [],
  reason:
    "Q4 estimated tax is $13,560.00 and due 15\u00a0December. Taxes holds $9,310.00. This transfer closes the gap so the quarterly payment can go out in full.",
  requester: {
    kind: "API_KEY",
    name: "claude-bookkeeping",
    createdByName: "Jonas Weil",
    createdAt: "2026-08-03T14:00:00Z",
    lastUsedAt: "2026-11-20T13:40:00Z",
    lookAlike: null,
    approvedCount: 43,
    decidedCount: 47,
    recent: Array.from({ length: 47 }, (_, index) => (DENIED_AT.has(index) ? "DENIED" : "APPROVED")),
  },
  balances: [
    {
      accountId: "5c0e1f0a-0000-7000-8000-00000000b41d",
      name: "Operating",
      kind: "POD",
      isOutside: false,
      nowInCents: 1_842_055,
      changeInCents: -425_000,
      followsInCents: 0,
      afterInCents: 1_417_055,
    },
    {
      accountId: "a91b77d2-0000-7000-8000-0000000007fe",
      name: "Taxes",
      kind: "POD",
      isOutside: false,
      nowInCents: 931_000,
      changeInCents: 425_000,
      followsInCents: 0,
      afterInCents: 1_356_000,
    },
  ],
  together: { nowInCents: 2_773_055, changeInCents: 0, followsInCents: 0, afterInCents: 2_773_055 },
  checks: [
    {
      kind: "KEY_LIMIT",
      outcome: "CLEAR",
      keyName: "claude-bookkeeping",
      limitInCents: 500_000,
      amountInCents: 425_000,
    },
    {
      kind: "FLOOR",
      outcome: "CLEAR",
      accountName: "Operating",
      floorInCents: 800_000,
      afterInCents: 1_417_055,
      onItsWayInCents: 0,
    },
    {
      kind: "KNOWN_ROUTE",
      outcome: "CLEAR",
      transferCount: 12,
      isMore: false,
      firstAt: "2026-03-14T14:00:00Z",
      lastAt: "2026-10-14T14:00:00Z",
    },
    { kind: "SIMILAR_LATELY", outcome: "CLEAR", transferCount: 0, sameAmountCount: 0, closest: null },
    {
      kind: "USUAL_AMOUNT",
      outcome: "LOOK",
      usualLowInCents: 160_000,
      usualHighInCents: 240_000,
      amountInCents: 425_000,
      timesMedian: 2.1,
    },
  ],
  request: {
    method: "POST",
    path: "/platform/v1/transfers",
    headers: [
      { name: "idempotency-key", value: "q4-estimate-2026-11-20" },
      { name: "x-called-reason", value: "Closing the gap before the Q4 estimate" },
    ],
    body: {
      sourceAccountId: "5c0e1f0a-0000-7000-8000-00000000b41d",
      destinationAccountId: "a91b77d2-0000-7000-8000-0000000007fe",
      amountInCents: 425_000,
      description: "Q4 TAX",
    },
  },
  history: [...PROPOSED, { kind: "WAITING", deciderNames: ["Mara", "Jonas"] }, { kind: "SETTLEMENT_AHEAD" }],
  createdAt: "2026-11-20T13:40:00Z",
  expiresAt: "2026-11-21T13:40:00Z",
  decision: null,
  settlesOver: "BOOKS",
  expectedOn: null,
  endedAt: null,
  error: null,
  knockOn: null,
  followUps: [],
  accountNames: {
    "5c0e1f0a-0000-7000-8000-00000000b41d": "Operating",
    "a91b77d2-0000-7000-8000-0000000007fe": "Taxes",
  },
  digest: "example",
  areGatesClosed: false,
  viewer: { canDecide: true, role: "OWNER", hasPasskey: true, freshUntil: null },
  deciders: [
    { id: "mara", name: "Mara Okafor", role: "OWNER" },
    { id: "jonas", name: "Jonas Weil", role: "CO_OWNER" },
  ],
  next: {
    href: "/design?show=would-fail",
    subject: {
      kind: "TRANSFER",
      sourceName: "Operating",
      destinationName: "Summit Visa",
      amountInCents: 231_840,
    },
    expiresAt: "2026-11-20T19:06:00Z",
  },
  otherWaitingCount: 2,
  canCancel: false,
  moveBackHref: null,
  movedBackHref: null,
  version: "1",
  time: TIME,
};

const APPROVED_AT = "2026-11-20T16:27:00Z";

const approvedByMara: Partial<TransferApprovalView> = {
  decision: {
    kind: "APPROVED",
    byName: "Mara Okafor",
    byViewer: true,
    at: APPROVED_AT,
    method: "PASSKEY",
    passkeyName: "Mara’s MacBook",
    note: null,
    reason: null,
  },
};

const approval: HistoryItemView = {
  kind: "APPROVED",
  at: APPROVED_AT,
  byName: "Mara",
  byViewer: true,
  method: "PASSKEY",
};

export function inStatus(status: ApprovalStatus): TransferApprovalView {
  switch (status) {
    case "WAITING":
      return WAITING;
    case "ON_ITS_WAY":
      return {
        ...WAITING,
        ...approvedByMara,
        status,
        canCancel: true,
        history: [
          ...PROPOSED,
          approval,
          { kind: "ON_ITS_WAY", at: APPROVED_AT, leavesAt: null, isUnanswered: false },
        ],
      };
    case "SETTLED":
    case "PARTIAL":
      return {
        ...withBalances(1_417_055, 1_356_000),
        ...approvedByMara,
        status,
        endedAt: "2026-11-20T16:28:00Z",
        history: [...PROPOSED, approval, { kind: "SETTLED", at: "2026-11-20T16:28:00Z" }],
      };
    case "DENIED":
      return {
        ...WAITING,
        status,
        decision: {
          kind: "DENIED",
          byName: "Jonas Weil",
          byViewer: false,
          at: APPROVED_AT,
          method: "PASSWORD",
          passkeyName: null,
          note: "Wait until Halden Health has paid invoice 318.",
          reason: {
            kind: "NOT_NOW",
            text: "Invoice 318 is not paid yet.",
            askAgainAfter: "2026-12-01T05:00:00Z",
          },
        },
        history: [
          ...PROPOSED,
          { kind: "DENIED", at: APPROVED_AT, byName: "Jonas", byViewer: false, method: "PASSWORD" },
        ],
      };
    case "REVOKED":
      return {
        ...WAITING,
        status,
        history: [...PROPOSED, { kind: "REVOKED", at: APPROVED_AT, byName: "Jonas Weil" }],
      };
    case "WITHDRAWN":
      return {
        ...WAITING,
        status,
        history: [...PROPOSED, { kind: "WITHDRAWN", at: APPROVED_AT, byName: WAITING.requester.name }],
      };
    // Only runs end with their rule; their example is in run-example.ts.
    case "RULE_CHANGED":
    case "EXPIRED":
      return {
        ...WAITING,
        status,
        time: { ...TIME, nowAt: "2026-11-21T15:00:00Z" },
        next: null,
        otherWaitingCount: 0,
        history: [
          ...PROPOSED,
          {
            kind: "NOTIFIED",
            at: "2026-11-21T11:40:00Z",
            channel: "EMAIL",
            isReminder: true,
            recipients: ["Mara", "Jonas"],
            deliveredCount: 1,
            failedCount: 1,
          },
          { kind: "EXPIRED", at: "2026-11-21T13:40:00Z" },
        ],
      };
    case "FAILED":
      return {
        ...WAITING,
        ...approvedByMara,
        status,
        endedAt: APPROVED_AT,
        error: { code: "INSUFFICIENT_FUNDS", sentence: "Operating no longer held $4,250.00. Nothing moved." },
        history: [...PROPOSED, approval, { kind: "FAILED", at: APPROVED_AT, code: "INSUFFICIENT_FUNDS" }],
      };
    case "RETURNED":
      return {
        ...WAITING,
        ...approvedByMara,
        status,
        settlesOver: "ACH",
        endedAt: APPROVED_AT,
        error: {
          code: "ACH_R10",
          sentence: "Its bank did not accept it. The $4,250.00 is back in Operating.",
        },
        history: [...PROPOSED, approval, { kind: "RETURNED", at: APPROVED_AT, code: "ACH_R10" }],
      };
    case "CANCELLED":
      return {
        ...WAITING,
        ...approvedByMara,
        status,
        endedAt: APPROVED_AT,
        history: [...PROPOSED, approval, { kind: "CANCELLED", at: APPROVED_AT, byName: "Jonas" }],
      };
  }
}

export const FOR_A_VIEWER: TransferApprovalView = {
  ...WAITING,
  viewer: { canDecide: false, role: "VIEWER", hasPasskey: false, freshUntil: null },
  next: null,
};

/** Operating doesn’t have enough: Approve is not available. */
export const WOULD_FAIL: TransferApprovalView = {
  ...withBalances(312_000, 931_000),
  viewer: { ...WAITING.viewer, hasPasskey: false },
  reason: null,
  labels: { externalId: "tax-2026-q4", metadata: [{ key: "quarter", value: "2026-Q4" }] },
  checks: [
    {
      kind: "ENOUGH_MONEY",
      outcome: "BLOCKS",
      accountName: "Operating",
      availableInCents: 312_000,
      amountInCents: 425_000,
    },
    ...WAITING.checks.filter(({ kind }) => kind !== "FLOOR"),
  ],
};

function withBalances(sourceInCents: number, destinationInCents: number): TransferApprovalView {
  const now = [sourceInCents, destinationInCents];
  const balances = WAITING.balances.map((row, index) => {
    const nowInCents = now[index] ?? 0;
    return { ...row, nowInCents, afterInCents: nowInCents + row.changeInCents };
  });
  const total = sourceInCents + destinationInCents;
  return {
    ...WAITING,
    source: { ...WAITING.source, nowInCents: sourceInCents },
    destination: { ...WAITING.destination, nowInCents: destinationInCents },
    balances,
    together: { nowInCents: total, changeInCents: 0, followsInCents: 0, afterInCents: total },
  };
}
