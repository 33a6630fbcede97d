import type { AccountType, ExternalAccountType } from "@/lib/contract/account";
import type { MemberRole } from "@/lib/contract/members";

/** The demo organization's members, accounts, and keys. `plan-history.ts` has its history. */

export const ORGANIZATION = {
  name: "Northwind Studio",
  kind: "BUSINESS",
  timeZone: "America/New_York",
} as const;

export const MEMBER_NAMES = ["MARA", "JONAS", "TOMAS", "PRIYA"] as const;
export type MemberName = (typeof MEMBER_NAMES)[number];

export interface DemoMember {
  name: string;
  email: string;
  role: MemberRole;
  /** From the range reserved for fiction: no one ever answers. */
  phone: string | null;
}

export const MEMBERS: Record<MemberName, DemoMember> = {
  MARA: { name: "Mara Okafor", email: "mara@northwind.example", role: "OWNER", phone: "+12125550131" },
  JONAS: { name: "Jonas Weil", email: "jonas@northwind.example", role: "CO_OWNER", phone: "+12125550108" },
  TOMAS: { name: "Tomas Lind", email: "tomas@northwind.example", role: "VIEWER", phone: null },
  PRIYA: { name: "Priya Nair", email: "priya@northwind.example", role: "CO_OWNER", phone: "+12125550174" },
};

export const ACCOUNT_NAMES = [
  "Client payments",
  "Operating",
  "Taxes",
  "Payroll",
  "Profit",
  "Owner’s pay",
  "First Harbor Checking",
  "Summit Visa",
] as const;
export type AccountName = (typeof ACCOUNT_NAMES)[number];

interface DemoAccount {
  type: AccountType;
  externalAccountType?: ExternalAccountType;
  description?: string;
  institutionName?: string;
  numberEnding?: string;
  floorInCents?: number;
  savingsTargetInCents?: number;
  /** The debt paid from it. */
  linkedTo?: AccountName;
  /**
   * Closing balance of the history: for managed accounts, what the books must show; for outside ones, what the bank
   * reports; for the card, its last statement.
   */
  balanceInCents: number;
}

export const ACCOUNTS: Record<AccountName, DemoAccount> = {
  "Client payments": {
    type: "INCOME_SOURCE",
    institutionName: "First Harbor",
    numberEnding: "8820",
    balanceInCents: 360_000,
  },
  Operating: {
    type: "POD",
    description: "Day-to-day costs",
    numberEnding: "4471",
    floorInCents: 800_000,
    linkedTo: "Summit Visa",
    balanceInCents: 1_842_055,
  },
  Taxes: { type: "POD", description: "25% of each client payment", balanceInCents: 931_000 },
  Payroll: { type: "POD", description: "Two people, every other Friday", balanceInCents: 650_000 },
  Profit: {
    type: "POD",
    description: "The studio’s cushion",
    savingsTargetInCents: 1_200_000,
    balanceInCents: 784_520,
  },
  "Owner’s pay": { type: "POD", description: "Mara", balanceInCents: 215_000 },
  "First Harbor Checking": {
    type: "EXTERNAL_ACCOUNT",
    externalAccountType: "DEPOSITORY",
    institutionName: "First Harbor",
    numberEnding: "2093",
    balanceInCents: 620_418,
  },
  "Summit Visa": {
    type: "EXTERNAL_ACCOUNT",
    externalAccountType: "LIABILITY",
    institutionName: "Summit",
    numberEnding: "5518",
    balanceInCents: 231_840,
  },
};

export const OUTSIDE_NAMES = ["First Harbor Checking", "Summit Visa"] as const satisfies AccountName[];

export const PAYEE_NAMES = [
  "Redline Print",
  "Kiln Studio",
  "Ostrom Photo",
  "Staff pay",
  "Marlow Legal",
] as const;
export type PayeeName = (typeof PAYEE_NAMES)[number];

interface DemoPayee {
  holderName: string;
  accountNumber: string;
  addedBy: MemberName;
  /** Another member; null: it still waits. */
  confirmedBy: MemberName | null;
}

/** Who the studio pays, each at the sandbox's own bank. */
export const PAYEES: Record<PayeeName, DemoPayee> = {
  "Redline Print": {
    holderName: "Redline Print LLC",
    accountNumber: "4408123307",
    addedBy: "JONAS",
    confirmedBy: "MARA",
  },
  "Kiln Studio": {
    holderName: "Kiln Studio Inc.",
    accountNumber: "7719046612",
    addedBy: "JONAS",
    confirmedBy: "MARA",
  },
  "Ostrom Photo": {
    holderName: "Ostrom Photo LLC",
    accountNumber: "2093774851",
    addedBy: "MARA",
    confirmedBy: "PRIYA",
  },
  "Staff pay": {
    holderName: "Northwind Studio Payroll",
    accountNumber: "6150238894",
    addedBy: "MARA",
    confirmedBy: "JONAS",
  },
  "Marlow Legal": {
    holderName: "Marlow Legal LLP",
    accountNumber: "5521907716",
    addedBy: "PRIYA",
    confirmedBy: null,
  },
};

/** An assistant that a member connected over OAuth; no one has its token. */
export const ASSISTANT = {
  name: "Claude",
  clientId: "https://claude.ai/demo",
  host: "claude.ai",
  of: "MARA",
} as const;

export const KEY_NAMES = [
  "claude-bookkeeping",
  "zapier-invoices",
  "ops-payroll",
  "ops-cardpay",
  "mara-cli",
  "roundup-bot",
  "demo-key",
] as const;
export type KeyName = (typeof KEY_NAMES)[number];

interface DemoRoute {
  from: AccountName;
  to: AccountName | PayeeName;
  /** Absent: no cap. */
  maximumInCents?: number;
}

export interface DemoKey {
  createdBy: MemberName;
  /** `ANY`: from every account to every other. */
  routes: DemoRoute[] | "ANY";
  asks: boolean;
  /** What it may move within 24 hours without approval; absent: no cap. */
  dailyCapInCents?: number;
  reads: ("ACCOUNTS" | "TRANSFERS" | "RULES" | "AUDIT_LOGS")[];
  changesRules?: boolean;
  /** All rules, with approval. */
  runsRules?: boolean;
  opensAccounts?: boolean;
}

const CLAUDE_CAP = 500_000;

export const KEYS: Record<KeyName, DemoKey> = {
  "claude-bookkeeping": {
    createdBy: "JONAS",
    routes: [
      { from: "Operating", to: "Taxes", maximumInCents: CLAUDE_CAP },
      { from: "Operating", to: "Redline Print", maximumInCents: CLAUDE_CAP },
      { from: "Operating", to: "Kiln Studio", maximumInCents: CLAUDE_CAP },
      { from: "Operating", to: "Payroll", maximumInCents: CLAUDE_CAP },
      { from: "Operating", to: "Profit", maximumInCents: CLAUDE_CAP },
      { from: "Profit", to: "First Harbor Checking", maximumInCents: CLAUDE_CAP },
      { from: "Taxes", to: "First Harbor Checking", maximumInCents: CLAUDE_CAP },
      { from: "First Harbor Checking", to: "Operating", maximumInCents: CLAUDE_CAP },
    ],
    asks: true,
    reads: ["ACCOUNTS", "TRANSFERS", "RULES", "AUDIT_LOGS"],
    changesRules: true,
  },
  "zapier-invoices": {
    createdBy: "MARA",
    routes: [
      { from: "Client payments", to: "Taxes" },
      { from: "Client payments", to: "Operating" },
    ],
    asks: true,
    reads: ["TRANSFERS", "RULES"],
    runsRules: true,
  },
  "ops-payroll": {
    createdBy: "JONAS",
    routes: [
      { from: "Operating", to: "Payroll", maximumInCents: 300_000 },
      { from: "Payroll", to: "First Harbor Checking", maximumInCents: 500_000 },
      { from: "Payroll", to: "Staff pay", maximumInCents: 300_000 },
    ],
    asks: true,
    reads: ["ACCOUNTS"],
  },
  "ops-cardpay": {
    createdBy: "MARA",
    routes: [{ from: "Operating", to: "Summit Visa" }],
    asks: true,
    reads: ["ACCOUNTS"],
  },
  "mara-cli": {
    createdBy: "MARA",
    routes: [
      { from: "Operating", to: "Owner’s pay" },
      { from: "Operating", to: "Profit" },
      { from: "Owner’s pay", to: "First Harbor Checking" },
      { from: "Taxes", to: "First Harbor Checking" },
    ],
    asks: true,
    reads: ["ACCOUNTS", "TRANSFERS", "RULES", "AUDIT_LOGS"],
  },
  "roundup-bot": {
    createdBy: "MARA",
    routes: [{ from: "Operating", to: "Profit", maximumInCents: 2_500 }],
    asks: false,
    dailyCapInCents: 10_000,
    reads: [],
  },
  // For trying every operation; its transfers need approval.
  "demo-key": {
    createdBy: "MARA",
    routes: "ANY",
    asks: true,
    reads: ["ACCOUNTS", "TRANSFERS", "RULES", "AUDIT_LOGS"],
    changesRules: true,
    runsRules: true,
    opensAccounts: true,
  },
};
