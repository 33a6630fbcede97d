import { TIME } from "@/app/design/_components/approval-examples";
import type { ProposalSubjectView } from "@/lib/contract/approvals/approval";
import { accountsSearchSchema, approvalSearchSchema } from "@/lib/contract/search/search-schemas";
import type { AccountsView, ManagedAccountView } from "@/lib/views/accounts/read-accounts-page";
import type {
  DecidedProposalView,
  InboxView,
  WaitingProposalView,
} from "@/lib/views/approvals/list-proposals";
import type { SecurityView } from "@/lib/views/members/list-security";
import type { MailboxView } from "@/lib/views/notifications/read-mailbox";
import type { ShellView } from "@/lib/views/read-shell";

const transfer = (
  sourceName: string,
  destinationName: string,
  amountInCents: number,
): ProposalSubjectView => ({ kind: "TRANSFER", sourceName, destinationName, amountInCents });

export const SHELL: ShellView = {
  organization: { id: "northwind", name: "Northwind Studio" },
  organizations: [
    { id: "northwind", name: "Northwind Studio" },
    { id: "okafor", name: "Okafor Family Trust" },
  ],
  user: { name: "Mara Okafor", email: "mara@northwind.example", role: "OWNER" },
  waitingCount: 3,
  rulesCount: 1,
  shown: "",
  stamps: { waiting: "", money: "", webhooks: "" },
  closedGates: null,
  onboardingHref: null,
  isSandbox: true,
  hasSandboxPage: true,
  hasCards: true,
  theme: "SYSTEM",
};

const WAITING_ROWS: WaitingProposalView[] = [
  {
    id: "1",
    href: "/design?show=waiting",
    subject: transfer("Operating", "Summit Visa", 231_840),
    requesterKind: "API_KEY",
    requesterName: "ops-cardpay",
    reason: "November statement is due on 25\u00a0November. This pays it in full.",
    createdAt: "2026-11-19T19:06:00Z",
    expiresAt: "2026-11-20T19:06:00Z",
    isPossibleDuplicate: false,
  },
  {
    id: "2",
    href: "/design?show=waiting",
    subject: {
      kind: "RULE_RUN",
      ruleName: "Split client payments",
      sourceName: "Client payments",
      destinations: { count: 5, firstName: "Taxes", arePods: true },
      amountInCents: 360_000,
    },
    requesterKind: "API_KEY",
    requesterName: "zapier-invoices",
    reason: null,
    createdAt: "2026-11-20T01:31:00Z",
    expiresAt: "2026-11-21T01:31:00Z",
    isPossibleDuplicate: false,
  },
  {
    id: "3",
    href: "/design?show=waiting",
    subject: transfer("Operating", "Taxes", 425_000),
    requesterKind: "API_KEY",
    requesterName: "claude-bookkeeping",
    reason:
      "Q4 estimated tax is $13,560.00 and due 15\u00a0December. Taxes holds $9,310.00. This transfer closes the gap so the quarterly payment can go out in full.",
    createdAt: "2026-11-20T13:40:00Z",
    expiresAt: "2026-11-21T13:40:00Z",
    isPossibleDuplicate: false,
  },
];

const byJonas = { kind: "APPROVED", byName: "Jonas", byViewer: false, note: null } as const;

const decided = (
  id: string,
  row: Omit<DecidedProposalView, "id" | "href" | "requesterKind" | "requesterName"> & {
    requesterName?: string;
  },
): DecidedProposalView => ({
  id,
  href: "/design?show=settled",
  requesterKind: "API_KEY",
  requesterName: "ops-payroll",
  ...row,
});

const DECIDED_ROWS: DecidedProposalView[] = [
  decided("d1", {
    subject: transfer("Operating", "Payroll", 175_000),
    decidedAt: "2026-11-20T14:12:00Z",
    status: "SETTLED",
    decision: byJonas,
  }),
  decided("d2", {
    subject: transfer("Profit", "First Harbor Checking", 120_000),
    requesterName: "claude-bookkeeping",
    decidedAt: "2026-11-19T21:40:00Z",
    status: "DENIED",
    decision: { kind: "DENIED", byName: "Mara", byViewer: true, note: "Keep the goal on track." },
  }),
  decided("d3", {
    subject: transfer("Client payments", "Operating", 520_000),
    decidedAt: "2026-11-18T13:02:00Z",
    status: "ON_ITS_WAY",
    decision: { ...byJonas, byViewer: true },
  }),
  decided("d4", {
    subject: transfer("Operating", "Owner’s pay", 80_000),
    requesterName: "mara-cli",
    decidedAt: "2026-11-17T15:15:00Z",
    status: "EXPIRED",
    decision: null,
  }),
  decided("d5", {
    subject: transfer("Taxes", "First Harbor Checking", 290_000),
    decidedAt: "2026-11-16T14:30:00Z",
    status: "FAILED",
    decision: byJonas,
  }),
  decided("d6", {
    subject: transfer("Payroll", "Staff pay", 410_000),
    decidedAt: "2025-11-13T12:45:00Z",
    status: "RETURNED",
    decision: byJonas,
  }),
];

const PROPOSAL_DAYS = Array.from({ length: 30 }, (_, index) => ({
  date: `2026-${index < 10 ? "10" : "11"}-${String(index < 10 ? index + 22 : index - 9).padStart(2, "0")}`,
  asked: (index * 5) % 4,
  approved: (index * 5) % 3,
  denied: index % 11 === 7 ? 1 : 0,
  lapsed: index === 14 ? 1 : 0,
}));

export const INBOX: InboxView = {
  days: PROPOSAL_DAYS,
  waiting: WAITING_ROWS,
  waitingCount: WAITING_ROWS.length,
  rules: { listed: [], count: 0 },
  allWaitingHref: null,
  decided: {
    search: approvalSearchSchema.parse({}),
    rows: DECIDED_ROWS,
    count: { count: 143, isMore: false },
    sum: null,
    firstPosition: 1,
    newerHref: null,
    olderHref: "?show=inbox",
    deciders: [{ id: "jonas", name: "Jonas Weil" }],
    requesters: [{ id: "bookkeeping", name: "claude-bookkeeping" }],
    exportHref: "?show=inbox",
    mayExport: true,
  },
  viewer: { canDecide: true },
  time: TIME,
};

export const EMPTY_INBOX: InboxView = {
  ...INBOX,
  waiting: [],
  waitingCount: 0,
  decided: {
    ...INBOX.decided,
    rows: DECIDED_ROWS.slice(0, 3),
    count: { count: 3, isMore: false },
    olderHref: null,
  },
};

const managed = (
  name: string,
  balanceInCents: number,
  rest: Partial<ManagedAccountView>,
): ManagedAccountView => ({
  id: name,
  href: `/accounts/${name}`,
  name,
  description: null,
  institutionName: null,
  numberEnding: null,
  balanceInCents,
  floorInCents: null,
  goalInCents: null,
  waitingOut: null,
  ...rest,
});

export const ACCOUNTS: AccountsView = {
  lookAlikes: {},
  search: accountsSearchSchema.parse({}),
  counts: { income: 1, pods: 5, outside: 1, owed: 1, closed: 0 },
  firstPosition: 1,
  previousHref: null,
  nextHref: null,
  incomeTotalInCents: 360_000,
  inSluice: { totalInCents: 4_782_575, closedInCents: 0, accountCount: 6 },
  bankNewsLateSince: null,
  bankAgreement: {
    reconciledAt: "2026-11-19T22:30:00.000Z",
    bankInCents: 4_782_575,
    booksInCents: 4_782_575,
    expectedInCents: 0,
    openInCents: 0,
    unexplainedInCents: 0,
    openCount: 0,
  },
  incomeSources: [
    managed("Client payments", 360_000, {
      institutionName: "First Harbor",
      numberEnding: "8820",
      waitingOut: { count: 1, amountInCents: 360_000 },
    }),
  ],
  pods: [
    managed("Operating", 1_842_055, {
      description: "Day-to-day costs",
      numberEnding: "4471",
      floorInCents: 800_000,
    }),
    managed("Taxes", 931_000, { description: "25% of each client payment" }),
    managed("Payroll", 650_000, { description: "Two people, every other Friday", floorInCents: 700_000 }),
    managed("Profit", 784_520, { description: "The studio’s cushion", goalInCents: 1_200_000 }),
    managed("Owner’s pay", 215_000, { description: "Mara" }),
  ],
  podsTotalInCents: 4_422_575,
  outsideTotalInCents: 620_418,
  owedTotalInCents: 231_840,
  outside: [
    {
      id: "checking",
      href: "/accounts/checking",
      name: "First Harbor Checking",
      institutionName: "First Harbor",
      numberEnding: "2093",
      balanceInCents: 620_418,
      balanceAt: "2026-11-18T11:12:00Z",
      connectionHref: null,
    },
  ],
  owed: [
    {
      id: "visa",
      href: "/accounts/visa",
      name: "Summit Visa",
      institutionName: "Summit",
      numberEnding: "5518",
      balanceInCents: 231_840,
      balanceAt: "2026-11-18T11:12:00Z",
      connectionHref: null,
      paidFromName: "Operating",
      statementInCents: 231_840,
      minimumInCents: 7_500,
      dueOn: "2026-11-25",
    },
  ],
  closed: [],
  viewer: { canDecide: true },
  time: TIME,
};

export const SECURITY: SecurityView = {
  passkeys: [
    {
      id: "mac",
      name: "MacBook, Touch ID",
      createdAt: "2026-03-02T14:00:00Z",
      lastUsedAt: "2026-11-20T16:27:00Z",
    },
    {
      id: "blue",
      name: "Blue security key",
      createdAt: "2026-03-04T14:00:00Z",
      lastUsedAt: "2026-10-09T14:00:00Z",
    },
  ],
  recoveryCodes: { leftCount: 8, createdCount: 10, createdAt: "2026-03-02T14:00:00Z" },
  authenticator: null,
  passwordChangedAt: "2026-03-02T14:00:00Z",
  sessions: [
    {
      id: "this",
      browser: "Safari on macOS",
      network: "203.0.113.x",
      startedAt: "2026-11-20T13:12:00Z",
      lastSeenAt: "2026-11-20T16:12:00Z",
      isThisOne: true,
    },
    {
      id: "phone",
      browser: "Chrome on Android",
      network: null,
      startedAt: "2026-11-12T13:12:00Z",
      lastSeenAt: "2026-11-20T03:40:00Z",
      isThisOne: false,
    },
  ],
};

export const MAILBOX: MailboxView = {
  messages: [
    {
      id: "m1",
      channel: "EMAIL",
      href: "?show=mailbox",
      from: "Sluice <sluice@northwind.example>",
      to: ["mara@northwind.example", "jonas@northwind.example"],
      subject: "Move $4,250.00 from Operating to Taxes?",
      sentAt: "2026-11-20T13:40:00Z",
      html: "<body style='font-family:serif;padding:32px'><h1>Move $4,250.00 from Operating to Taxes?</h1><p>Review and decide</p></body>",
      text: "Move $4,250.00 from Operating to Taxes?",
    },
    {
      id: "s1",
      channel: "SMS",
      href: "?show=mailbox",
      to: ["••31"],
      sentAt: "2026-11-20T13:40:00Z",
      text: "Sluice: move $4,250.00 from Operating to Taxes? Until Sat 08:40. https://sluice.northwind.example/?approvalTransferId=7c1e5f0e-2b7d-7f6e-9d0a-3f61b2a944d0",
      segmentCount: 1,
    },
  ],
  selectedEmailId: "m1",
  selectedSmsId: "s1",
  face: "AS_SENT",
  faceHrefs: { AS_SENT: "?show=mailbox", PLAIN_TEXT: "?show=mailbox", SOURCE: "?show=mailbox" },
  time: TIME,
};
