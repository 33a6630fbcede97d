import { TIME } from "@/app/design/_components/approval-examples";
import type { ProposalSubjectView } from "@/lib/contract/approvals/approval";
import { accountsSearchSchema, approvalSearchSchema } from "@/lib/contract/search/search-schemas";
import type { AccountsView, ManagedAccountView } from "@/lib/views/accounts/read-accounts-page";
import type { DecidedProposalView, InboxView } from "@/lib/views/approvals/list-proposals";
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

const byJonas = { kind: "APPROVED", byName: "Jonas", byViewer: false, note: null } as const;

const decided = (
  id: string,
  row: Omit<DecidedProposalView, "id" | "href" | "requesterKind" | "requesterName" | "labels"> & {
    requesterName?: string;
  },
): DecidedProposalView => ({
  id,
  href: "/design?show=settled",
  requesterKind: "API_KEY",
  requesterName: "ops-payroll",
  labels: { externalId: null, metadata: [] },
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
];

const PROPOSAL_DAYS = Array.from({ length: 30 }, (_, index) => ({
  date: `2026-${index < 10 ? "10" : "11"}-${String(index < 10 ? index + 22 : index - 9).padStart(2, "0")}`,
  asked: (index * 5) % 4,
  approved: (index * 5) % 3,
  denied: index % 11 === 7 ? 1 : 0,
  lapsed: index === 14 ? 1 : 0,
}));

export const EMPTY_INBOX: InboxView = {
  days: PROPOSAL_DAYS,
  waiting: [],
  waitingCount: 0,
  rules: { listed: [], count: 0 },
  stops: { listed: [], count: 0 },
  mandates: { listed: [], count: 0 },
  changes: { listed: [], count: 0 },
  groups: null,
  areGatesClosed: false,
  decided: {
    search: approvalSearchSchema.parse({}),
    rows: DECIDED_ROWS,
    count: { count: DECIDED_ROWS.length, isMore: false },
    sum: null,
    firstPosition: 1,
    newerHref: null,
    olderHref: null,
    deciders: [{ id: "jonas", name: "Jonas Weil" }],
    requesters: [{ id: "bookkeeping", name: "claude-bookkeeping" }],
    exportHref: "?show=inbox-empty",
    mayExport: true,
  },
  viewer: { canDecide: true },
  time: TIME,
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
