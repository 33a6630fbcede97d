import type { ExternalAccountType } from "@/lib/contract/account";

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
