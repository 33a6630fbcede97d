import type { ExternalAccountType } from "@/lib/contract/account";

/** How money travels between banks. Orders and deposits name one. */
export const BANK_RAILS = ["ACH", "WIRE", "INSTANT", "CHECK", "BOOK"] as const;
export type BankRail = (typeof BANK_RAILS)[number];

/** As a payment method. */
export const RAIL_NAMES: Readonly<Record<BankRail, string>> = {
  ACH: "ACH",
  WIRE: "Wire",
  INSTANT: "Instant payment",
  CHECK: "Check",
  BOOK: "Book transfer",
};

/** As in "$40.00 by wire". */
export const BY_RAIL: Readonly<Record<BankRail, string>> = {
  ACH: "by ACH",
  WIRE: "by wire",
  INSTANT: "by instant payment",
  CHECK: "by check",
  BOOK: "by book transfer",
};

/** What a bank offers. Pages and commands read it before they propose anything that the bank would refuse. */
export interface BankCapabilities {
  /** Whether it pays out to outside accounts. */
  push: boolean;
  /** Whether it draws money in from outside accounts. */
  pull: boolean;
  /** Of orders, the default first. */
  rails: readonly BankRailOffer[];
  /** Of money that others send. */
  deposits: readonly BankRail[];
  /** How long an accepted order waits here, and can be canceled, before it goes to the bank. */
  cancelWindowMs: number;
  /** Whether an outside account must be registered at the bank before an order may name it. */
  requiresRegistration: boolean;
  /** Whether it asks for the postal address of an outside account's holder. */
  requiresAddress: boolean;
  /**
   * The one account at the bank that all money is in: it has one number, for one income source, and belongs to one
   * organization. Null: each organization and income source has its own.
   */
  onlyAccount: string | null;
  /** Whether a pod can have an account of its own at the bank, instead of being a share of the organization's. */
  ownAccounts: boolean;
  /** Whether a person must approve each payment at the bank too, after its approval here. */
  approvesPayments: boolean;
}

/** An account outside, as far as the bank cares. */
interface OutsideParty {
  /** Whether the bank knows it by a reference of its own. */
  isRegistered: boolean;
  /** Connected checking and savings accounts, `DEPOSITORY`, can be registered. */
  externalAccountType: ExternalAccountType | null;
}

/** Why the bank cannot carry money between a managed account and this one outside, for programs; null if it can. */
export function bankProblem(
  { push, pull, requiresRegistration }: Pick<BankCapabilities, "push" | "pull" | "requiresRegistration">,
  direction: "MONEY_IN" | "MONEY_OUT" | "INTERNAL",
  outside: OutsideParty,
): string | null {
  if (direction === "INTERNAL") return null;
  const isIn = direction === "MONEY_IN";
  if (isIn && !pull) return "this bank cannot draw money from outside accounts";
  if (!isIn && !push) return "this bank cannot send money to outside accounts";
  if (!requiresRegistration || outside.isRegistered) return null;
  const only = `this bank ${isIn ? "draws money only from" : "sends money only to"} accounts that are registered with it`;
  return outside.externalAccountType === "DEPOSITORY"
    ? `${only}; an owner or co-owner can register this one on its page in the dashboard`
    : `${only}; add this one as a payee`;
}

interface BankRailOffer {
  rail: BankRail;
  /** `HH:MM` in New York: orders after the last of the day travel the next banking day. Null: no cut-off. */
  lastCutOffTime: string | null;
}
