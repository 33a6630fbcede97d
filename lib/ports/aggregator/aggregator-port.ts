import type { ExternalAccountType } from "@/lib/contract/account";
import { NamedError } from "@/lib/contract/error";
import type { ExternalTransactionStatus, FlowDirection, SpendingCategory } from "@/lib/contract/transactions";

/**
 * A provider that reads accounts at other institutions with their customer's consent, and moves nothing there.
 *
 * `businessNow` is the organization's business time. A real provider runs in real time and ignores it, except to turn a
 * date without a time into a moment.
 */
export interface AggregatorPort {
  readonly provider: "SANDBOX" | "PLAID";
  /** True: the institutions are fictional, and members may make things happen there. */
  readonly isSandbox: boolean;

  /**
   * Institutions whose name contains `query` (all, or the best known, if empty), best match first.
   * @param input.limit 1 to MAX_INSTITUTIONS
   * @throws AggregatorUnavailable
   */
  searchInstitutions(input: { query: string; limit: number }): Promise<Institution[]>;

  /**
   * What a member must do next to connect an institution or, with `again`, to sign in again at its request.
   * @throws AggregatorUnavailable, UnknownInstitution
   */
  beginConnecting(input: {
    organizationId: string;
    /** The member who connects, as an opaque id. */
    memberId: string;
    /** Null: the provider's own dialog asks. */
    institutionId: string | null;
    again: ConnectionAccess | null;
  }): Promise<ConnectingStep>;

  /**
   * Turns the result of the member's step into a connection. Its access is encrypted for exactly this organization and
   * connection.
   * @throws AggregatorUnavailable, ConnectingRefused if the proof is invalid, UnknownInstitution
   */
  completeConnecting(input: {
    organizationId: string;
    connectionId: string;
    proof: ConnectingProof;
    businessNow: Date;
  }): Promise<NewConnection>;

  /** @throws AggregatorUnavailable, SignInNeeded */
  listAccounts(access: ConnectionAccess): Promise<ProviderAccount[]>;

  /** @throws AggregatorUnavailable, SignInNeeded */
  readBalances(access: ConnectionAccess): Promise<ProviderBalance[]>;

  /**
   * The changes since `cursor` (null: everything available, about twelve months), in the order to apply them. A change
   * may be reported again under another cursor; applying it twice must make no difference.
   * @throws AggregatorUnavailable, SignInNeeded
   */
  syncTransactions(access: ConnectionAccess, cursor: string | null): Promise<TransactionBatch>;

  /**
   * The whole numbers of the connection's deposit accounts, as far as the institution shares them: for a bank to draw
   * money from them and pay to them. Their readers store, log and show no more than four digits.
   * @throws AggregatorUnavailable, SignInNeeded, NumbersNotShared if the customer has not agreed to it
   */
  readAccountNumbers(access: ConnectionAccess): Promise<ProviderAccountNumbers[]>;

  /**
   * Ends the provider's access. Repeating it does nothing.
   * @throws AggregatorUnavailable
   */
  remove(access: ConnectionAccess): Promise<void>;
}

export const MAX_INSTITUTIONS = 50;

export interface Institution {
  id: string;
  name: string;
}

/** Names a connection to its provider. */
export interface ConnectionAccess {
  organizationId: string;
  connectionId: string;
  providerItemId: string;
  /** Opaque to all but the adapter that encrypted it. */
  sealedAccessToken: Buffer | null;
  businessNow: Date;
}

export type ConnectingStep =
  /** Choose among these accounts; complete with their templates. */
  | { kind: "CHOOSE"; institution: Institution; accounts: OfferedAccount[] }
  /** Open the provider's dialog with this token; complete with its result. */
  | { kind: "LINK"; linkToken: string; expiresAt: Date };

export interface OfferedAccount {
  template: string;
  name: string;
  externalAccountType: ExternalAccountType;
}

export type ConnectingProof =
  | { kind: "CHOICE"; institutionId: string; templates: readonly string[] }
  | { kind: "LINK"; publicToken: string };

export interface NewConnection {
  providerItemId: string;
  institution: Institution;
  sealedAccessToken: Buffer | null;
}

export interface ProviderAccount {
  providerAccountId: string;
  name: string;
  externalAccountType: ExternalAccountType;
  numberLast4: string | null;
  routingNumberLast4: string | null;
}

export interface ProviderAccountNumbers {
  providerAccountId: string;
  accountKind: "CHECKING" | "SAVINGS";
  /** Nine digits with a valid checksum. */
  routingNumber: string;
  accountNumber: string;
}

/** The fields of the specification's Balance; integers in cents, dates `YYYY-MM-DD`. */
export interface ProviderBalance {
  providerAccountId: string;
  /** Of a `LIABILITY` the amount owed, positive = debt. */
  balanceInCents: number | null;
  availableBalanceInCents: number | null;
  lastStatementBalanceInCents: number | null;
  lastStatementDate: string | null;
  nextPaymentMinimumInCents: number | null;
  nextPaymentDueDate: string | null;
  interestRatePercentage: number | null;
  originalLoanAmountInCents: number | null;
  /** Business time as of which the institution reports it. */
  asOf: Date;
}

export interface ProviderTransaction {
  providerAccountId: string;
  providerTransactionId: string;
  /** The pending transaction that became this posted one, if the provider knows. */
  pendingTransactionId: string | null;
  /** Positive. */
  amountInCents: number;
  direction: FlowDirection;
  status: ExternalTransactionStatus;
  description: string;
  transactionDate: Date;
  merchantName: string | null;
  category: SpendingCategory | null;
  /** Plaid's detailed personal finance category, which the sandbox uses too. */
  providerCategory: string | null;
}

export type TransactionChange =
  | { kind: "UPSERT"; transaction: ProviderTransaction }
  | { kind: "REMOVE"; providerTransactionId: string };

export interface TransactionBatch {
  changes: TransactionChange[];
  /** Where to continue once these changes are stored. Null while the provider has nothing yet. */
  nextCursor: string | null;
  hasMore: boolean;
  /** False: the provider is still collecting history and will have more within minutes or hours. */
  isHistoryComplete: boolean;
}

/** The provider or the institution gave no usable answer: try again later. */
export class AggregatorUnavailable extends NamedError {
  static override readonly kind = "AggregatorUnavailable";

  constructor(
    /** For people and logs, such as `INSTITUTION_DOWN`. */
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The institution asks its customer to sign in again: retrying changes nothing until they do. */
export class SignInNeeded extends NamedError {
  static override readonly kind = "SignInNeeded";

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The customer agreed to share balances and transactions, and not account numbers: only a new connection asks again. */
export class NumbersNotShared extends NamedError {
  static override readonly kind = "NumbersNotShared";

  constructor() {
    super("The customer has not agreed to share account numbers");
  }
}

/** The code for a choice that the institution did not offer. */
export const NOT_OFFERED = "NOT_OFFERED";

/** What the member brought from the dialog is invalid or used up: start over. */
export class ConnectingRefused extends NamedError {
  static override readonly kind = "ConnectingRefused";

  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export class UnknownInstitution extends NamedError {
  static override readonly kind = "UnknownInstitution";

  constructor(readonly institutionId: string) {
    super(`There is no institution ${institutionId}`);
  }
}
