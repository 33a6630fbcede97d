import type { ExternalAccountType } from "@/lib/contract/account";
import type { Refused } from "@/lib/contract/refused";

/** A connection as the pages show it. */
export interface ConnectionView {
  id: string;
  href: string;
  institutionName: string;
  status: "ACTIVE" | "NEEDS_SIGN_IN" | "DISCONNECTED";
  /** The provider's code for the current problem. */
  errorCode: string | null;
  /** ISO 8601; null before the first refresh. */
  lastRefreshedAt: string | null;
  nextRefreshAt: string | null;
  accounts: ConnectedAccountView[];
}

export interface ConnectedAccountView {
  id: string;
  name: string;
  externalAccountType: ExternalAccountType;
  numberEnding: string | null;
  /** The provider's id, used on the sandbox page. */
  providerAccountId: string;
  /** The last known balance, even while it counts as unknown. */
  lastKnownBalanceInCents: number | null;
  isBalanceKnown: boolean;
}

/** An institution to connect. */
export interface InstitutionView {
  name: string;
  href: string;
  /** Accounts there that are already connected. */
  connectedNames: string[];
}

/** The page on which an institution is chosen. */
export type ConnectView =
  /** The member only reads. */
  | { kind: "FOR_OWNERS" }
  /** The provider signs people in through its own dialog. */
  | { kind: "PROVIDERS_DIALOG"; providerName: string }
  | {
      kind: "INSTITUTIONS";
      query: string;
      /** Best match first. */
      institutions: InstitutionView[];
      /** There may be more than are listed. */
      isTruncated: boolean;
    };

export interface OfferedAccountView {
  /** The institution's name for the choice. */
  template: string;
  name: string;
  externalAccountType: ExternalAccountType;
}

/** The page on which accounts at one institution are chosen. */
export type OfferView =
  | Exclude<ConnectView, { kind: "INSTITUTIONS" }>
  /** The institution does not exist, or does not answer. */
  | Refused
  | {
      kind: "CHOOSE";
      institutionId: string;
      institutionName: string;
      accounts: OfferedAccountView[];
      connectedNames: string[];
    };

/** Outcome of a day's refreshes. `CLOSED`: banks were closed, and there was none. */
export type RefreshDayState = "SUCCEEDED" | "FAILED" | "NONE" | "CLOSED";

export interface ConnectionAccountView {
  id: string;
  name: string;
  href: string;
  externalAccountType: ExternalAccountType;
  numberEnding: string | null;
  /** Null: never known. */
  balanceInCents: number | null;
  /** ISO 8601; when the institution said so. */
  balanceAt: string | null;
  /** False: it counts as unknown, and the last known value is shown. */
  isKnown: boolean;
  isClosed: boolean;
}

/** What waits for or depends on this connection's balances. */
export interface HeldUpView {
  /** Proposals that would draw on its accounts. */
  proposals: { id: string; href: string; toName: string; amountInCents: number }[];
  /** Active rules that read or draw on its accounts. */
  rules: { id: string; href: string; name: string }[];
}

/** One connection with an institution. */
export interface ConnectionPageView {
  id: string;
  institutionName: string;
  status: "ACTIVE" | "NEEDS_SIGN_IN" | "DISCONNECTED";
  /** The provider's code of what is wrong. */
  errorCode: string | null;
  /** All ISO 8601. */
  failingSince: string | null;
  connectedAt: string;
  lastRefreshedAt: string | null;
  nextRefreshAt: string | null;
  accounts: ConnectionAccountView[];
  /** The last two weeks, oldest first; `YYYY-MM-DD`. */
  days: { date: string; state: RefreshDayState }[];
  heldUp: HeldUpView;
  isSandbox: boolean;
  /** False: it belongs to another provider than the configured one, and is not refreshed. */
  isServed: boolean;
  viewer: { canDecide: boolean; hasPasskey: boolean };
}

export type ConnectionDone = { kind: "DONE" } | Refused;
