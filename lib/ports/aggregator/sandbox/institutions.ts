import type { ExternalAccountType } from "@/lib/contract/account";
import type { Institution } from "@/lib/ports/aggregator/aggregator-port";
import {
  CHECKING_FEES,
  EVERYDAY,
  HOUSEHOLD_BILLS,
  INCOME,
  INVESTING,
  SAVINGS_INTEREST,
  STUDIO_PURCHASES,
  type Stream,
  SUBSCRIPTIONS,
} from "@/lib/ports/aggregator/sandbox/streams";

export interface CardTerms {
  limitInCents: number;
  interestRatePercentage: number;
  /** Day of the month; the statement closes on the same day of the month before. At most 28. */
  dueDay: number;
}

export interface LoanTerms {
  originalInCents: number;
  interestRatePercentage: number;
  paymentInCents: number;
  /** Day of the month; at most 28. */
  dueDay: number;
  /** Payments made before the history begins. */
  paymentsBefore: number;
}

/** A kind of account that an institution offers to connect. */
interface AccountTemplate {
  template: string;
  institutionId: string;
  name: string;
  externalAccountType: ExternalAccountType;
  kind: "CHECKING" | "SAVINGS" | "BROKERAGE" | "CARD" | "LOAN";
  streams: readonly Stream[];
  /** The range of its balance when it is connected; cards and loans follow from their terms. */
  holdsInCents: readonly [number, number];
  card?: CardTerms;
  loan?: LoanTerms;
}

/** The institution renames a transaction when it is posted, as most do. */
interface SandboxInstitution extends Institution {
  routingNumberLast4: string;
  renamesPosted: boolean;
}

export const INSTITUTIONS: readonly SandboxInstitution[] = [
  { id: "sbx_first_harbor", name: "First Harbor", routingNumberLast4: "0146", renamesPosted: true },
  { id: "sbx_summit", name: "Summit", routingNumberLast4: "7719", renamesPosted: true },
  { id: "sbx_meridian", name: "Meridian Credit Union", routingNumberLast4: "3082", renamesPosted: false },
  { id: "sbx_larkspur", name: "Larkspur Investments", routingNumberLast4: "5561", renamesPosted: false },
  { id: "sbx_cedar", name: "Cedar Home Loans", routingNumberLast4: "2240", renamesPosted: false },
];

const HOUSEHOLD = [...INCOME, ...HOUSEHOLD_BILLS, ...SUBSCRIPTIONS, ...EVERYDAY, ...CHECKING_FEES];
const NOTHING_HELD = [0, 0] as const;

export const TEMPLATES: readonly AccountTemplate[] = [
  {
    template: "first_harbor_checking",
    institutionId: "sbx_first_harbor",
    name: "Harbor Checking",
    externalAccountType: "DEPOSITORY",
    kind: "CHECKING",
    streams: HOUSEHOLD,
    holdsInCents: [480_000, 720_000],
  },
  {
    template: "first_harbor_savings",
    institutionId: "sbx_first_harbor",
    name: "Harbor Savings",
    externalAccountType: "DEPOSITORY",
    kind: "SAVINGS",
    streams: SAVINGS_INTEREST,
    holdsInCents: [900_000, 1_600_000],
  },
  {
    template: "summit_visa",
    institutionId: "sbx_summit",
    name: "Summit Visa",
    externalAccountType: "LIABILITY",
    kind: "CARD",
    streams: STUDIO_PURCHASES,
    holdsInCents: NOTHING_HELD,
    card: { limitInCents: 1_500_000, interestRatePercentage: 22.99, dueDay: 25 },
  },
  {
    template: "meridian_checking",
    institutionId: "sbx_meridian",
    name: "Everyday Checking",
    externalAccountType: "DEPOSITORY",
    kind: "CHECKING",
    streams: [...INCOME, ...HOUSEHOLD_BILLS, ...CHECKING_FEES],
    holdsInCents: [520_000, 810_000],
  },
  {
    template: "meridian_card",
    institutionId: "sbx_meridian",
    name: "Meridian Rewards Card",
    externalAccountType: "LIABILITY",
    kind: "CARD",
    streams: [...SUBSCRIPTIONS, ...EVERYDAY],
    holdsInCents: NOTHING_HELD,
    card: { limitInCents: 800_000, interestRatePercentage: 18.49, dueDay: 18 },
  },
  {
    template: "meridian_auto_loan",
    institutionId: "sbx_meridian",
    name: "Auto Loan",
    externalAccountType: "LIABILITY",
    kind: "LOAN",
    streams: [],
    holdsInCents: NOTHING_HELD,
    loan: {
      originalInCents: 2_450_000,
      interestRatePercentage: 6.49,
      paymentInCents: 47_930,
      dueDay: 12,
      paymentsBefore: 9,
    },
  },
  {
    template: "larkspur_brokerage",
    institutionId: "sbx_larkspur",
    name: "Individual Brokerage",
    externalAccountType: "INVESTMENT",
    kind: "BROKERAGE",
    streams: INVESTING,
    holdsInCents: [4_200_000, 6_800_000],
  },
  {
    template: "cedar_mortgage",
    institutionId: "sbx_cedar",
    name: "Home Mortgage",
    externalAccountType: "LIABILITY",
    kind: "LOAN",
    streams: [],
    holdsInCents: NOTHING_HELD,
    loan: {
      originalInCents: 38_500_000,
      interestRatePercentage: 5.875,
      paymentInCents: 227_740,
      dueDay: 5,
      paymentsBefore: 26,
    },
  },
];

export function institutionOf(id: string): SandboxInstitution | null {
  return INSTITUTIONS.find((institution) => institution.id === id) ?? null;
}

/** @throws Error for an unknown template: a row of the sandbox that this version cannot play */
export function templateOf(name: string): AccountTemplate {
  const found = TEMPLATES.find(({ template }) => template === name);
  if (!found) throw new Error(`The sandbox has no account template ${name}`);
  return found;
}

/** An account as the sandbox stores it. */
export interface SandboxAccount {
  accountId: string;
  template: AccountTemplate;
  numberLast4: string;
  routingNumberLast4: string | null;
  openingBalanceInCents: number;
  /** `YYYY-MM-DD`, the first day with any activity. */
  historyFrom: string;
  /** Sluice has paid onto it and from it since then, until it was connected. */
  servedSince: Date | null;
  connectedAt: Date;
  renamesPosted: boolean;
}

/** Its template by name. */
export interface AccountRow extends Omit<SandboxAccount, "template" | "renamesPosted"> {
  template: string;
}

export function toSandboxAccount(row: AccountRow): SandboxAccount {
  const template = templateOf(row.template);
  return { ...row, template, renamesPosted: institutionOf(template.institutionId)?.renamesPosted ?? false };
}
