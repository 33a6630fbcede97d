// Generated from the OpenAPI document by `npm run client:generate`; a test compares. Change the operation table instead.

import type { Answer, CallOptions, OperationShape } from "./call.js";

/** An account with its balance and masked numbers. */
export interface Account {
  id: string;
  name: string;
  type: AccountType;
  /** The label set by a member. */
  description: string | null;
  /** Null for `POD` and `INCOME_SOURCE`. */
  externalAccountType: "DEPOSITORY" | "INVESTMENT" | "LIABILITY" | null;
  /** The owner of the money. */
  beneficiaryName: string | null;
  /** Present for `INCOME_SOURCE` and `EXTERNAL_ACCOUNT`. */
  institutionName: string | null;
  /** Whether rules may move money out of it. */
  canBeSource: boolean;
  /** Whether rules may move money into it. */
  canBeDestination: boolean;
  createdAt: string;
  updatedAt: string;
  /** Null while it is open. */
  deletedAt: string | null;
  /** Masked to its last four digits. */
  routingNumber: string | null;
  /** Masked to its last four digits. */
  bankAccountNumber: string | null;
  /** Null when unavailable. */
  balance: Balance | null;
  /** Pods with a savings goal only. */
  savingsTargetInCents: number | null;
  /** A payee or another account whose name looks the same as this one's: say its id to a person as well. Null: there is none. */
  lookAlike: LookAlike | null;
  /** The liability account that a member linked to this pod. */
  linkedAccount: LinkedAccount | null;
}

export interface AccountBalance {
  accountId: string;
  name: string;
  type: AccountType;
  /** Null for managed accounts. */
  externalAccountType: "DEPOSITORY" | "INVESTMENT" | "LIABILITY" | null;
  isClosed: boolean;
  /** A payee or another account whose name looks the same as this one's: say its id to a person as well. Null: there is none. */
  lookAlike: LookAlike | null;
  /** Null when unavailable. */
  balance: Balance | null;
  /** Accepted transfers to it that it does not show yet; null for a liability. */
  arrivingInCents: number | null;
  /** Held for transfers and cards; null if it is not managed. */
  leavingInCents: number | null;
  /** Liabilities only: payments that `balanceInCents` does not show yet. */
  paymentsOnTheirWayInCents: number | null;
}

/** One party of a movement. */
export interface AccountReference {
  /** Null for someone outside the organization. */
  id: string | null;
  name: string;
  /** An account's type, or `EXTERNAL_ENTITY` for someone outside the organization. */
  type: "POD" | "INCOME_SOURCE" | "EXTERNAL_ACCOUNT" | "EXTERNAL_ENTITY";
  /** Whether the account has since been closed. */
  isDeleted: boolean;
}

/** An account without balances and numbers. */
export interface AccountSummary {
  id: string;
  name: string;
  type: AccountType;
  /** The label set by a member. */
  description: string | null;
  /** Null for `POD` and `INCOME_SOURCE`. */
  externalAccountType: "DEPOSITORY" | "INVESTMENT" | "LIABILITY" | null;
  /** The owner of the money. */
  beneficiaryName: string | null;
  /** Present for `INCOME_SOURCE` and `EXTERNAL_ACCOUNT`. */
  institutionName: string | null;
  /** Whether rules may move money out of it. */
  canBeSource: boolean;
  /** Whether rules may move money into it. */
  canBeDestination: boolean;
  createdAt: string;
  updatedAt: string;
  /** Null while it is open. */
  deletedAt: string | null;
  /** A payee or another account whose name looks the same as this one's: say its id to a person as well. Null: there is none. */
  lookAlike: LookAlike | null;
  /** The liability account that a member linked to this pod. */
  linkedAccount: LinkedAccountSummary | null;
}

/** `POD`: a managed account for routing and saving. `INCOME_SOURCE`: a special pod where outside funds enter. `EXTERNAL_ACCOUNT`: at another institution, not managed. */
export type AccountType = "POD" | "INCOME_SOURCE" | "EXTERNAL_ACCOUNT";

/** `POD`: a managed account for routing and saving. `INCOME_SOURCE`: a special pod where outside funds enter. `EXTERNAL_ACCOUNT`: at another institution, not managed. */
export type AccountTypeInput = "POD" | "INCOME_SOURCE" | "EXTERNAL_ACCOUNT";

export interface AddTransferDocumentBody {
  /** The file's name, with its ending. */
  name: string;
  /** The file's bytes in Base64. */
  contentBase64: string;
}

/** The signatures that a policy of the organization asks for. */
export interface Approvals {
  /** All of them must be met. One signature may count in several versions. */
  required: {
    /** 0: no policy was published. */
    policyVersion: number;
    /** The rule of the policy that matched; null: none. */
    rule: string | null;
    /** Stages of one version are signed in their order. */
    stage: number;
    /** Members with one of these roles; null: people whom the policy names. */
    of: ("OWNER" | "CO_OWNER")[] | null;
    atLeast: number;
    /** How many signatures count in this stage now. */
    given: number;
  }[];
  /** The signatures that count, in their order. */
  given: {
    signedAt: string;
  }[];
  /** Without all of them by then it counts as denied. */
  expiresAt: string;
}

/** Every field is always present; each may be null. */
export interface Balance {
  /** The money it holds; for a `LIABILITY`, the amount owed (positive is debt). Null when `error` is set. */
  balanceInCents: number | null;
  /** The spendable amount; differs while movements are pending. */
  availableBalanceInCents: number | null;
  /** Liabilities only. */
  lastStatementBalanceInCents: number | null;
  /** Liabilities only. */
  lastStatementDate: string | null;
  /** Liabilities only. */
  nextPaymentMinimumInCents: number | null;
  /** Liabilities only. */
  nextPaymentDueDate: string | null;
  /** When it was last refreshed. */
  balanceLastUpdatedAt: string | null;
  /** Why the balance is unavailable, as a code. */
  error: string | null;
  /** Liabilities only. */
  interestRatePercentage: number | null;
  /** Loans only. */
  originalLoanAmountInCents: number | null;
}

export type CancelMandateBody = Record<string, unknown>;

export type CancelRuleExecutionBody = Record<string, unknown>;

export type CancelTransferBody = Record<string, unknown>;

/** A settled purchase, refund or payout of an issued card. */
export interface CardTransaction {
  id: string;
  cardId: string;
  cardType: "DEBIT_CARD" | "OMNI_CARD";
  /** The pod that funded or received the money. */
  account: AccountReference;
  /** A purchase is out; a refund or a payout is in. */
  direction: "MONEY_IN" | "MONEY_OUT";
  /** `PAYOUT`: an incoming push-to-card payment, counted as income. */
  subtype: "PURCHASE" | "REFUND" | "PAYOUT";
  /** More values may be added. */
  status: "COMPLETE";
  amountInCents: number;
  /** Typically the merchant's name; may be empty. */
  description: string;
  /** When it was recorded. */
  createdAt: string;
  /** When it settled. */
  completedAt: string;
}

/** What the approver reads about a proposal. */
export interface Check {
  code: CheckCode;
  /** `CLEAR`: nothing found. `REVIEW`: a person should look. `BLOCKS`: it cannot be approved as it is. */
  level: "CLEAR" | "REVIEW" | "BLOCKS";
  text: string;
}

/** What a check looks for. More may be added. */
export type CheckCode = "ABOVE_DAILY_CAP" | "ABOVE_KEY_LIMIT" | "ABOVE_OUTGOING_CAP" | "ASSISTANT_MAY_NOT_ASK" | "BELOW_FLOOR" | "CHANGED_PAYEE" | "INSUFFICIENT_FUNDS" | "LARGER_THAN_USUAL" | "LOOK_ALIKE_NAMES" | "LOWERED" | "NEWER_VERSION" | "NEW_PAYEE" | "NEW_ROUTE" | "OUTSIDE_MANDATE" | "PAYEE_COOLS_OFF" | "POSSIBLE_DUPLICATE" | "RAN_LATELY" | "REPEATED_DOCUMENT" | "REPEATED_EXTERNAL_ID" | "RULE_NOT_ALLOWED" | "RULE_NOT_RUNNING" | "RUN_WOULD_FAIL" | "SIMILAR_LATELY" | "SMALLER_THAN_USUAL";

export interface CreateAccountBody {
  /** `POD`: for routing and saving. `INCOME_SOURCE`: where outside money enters. */
  type: "POD" | "INCOME_SOURCE";
  /** The name that people know it by. */
  name: string;
  /** Its purpose. */
  description?: string;
  /** The owner; the default beneficiary if omitted. */
  beneficiaryId?: string;
  /** A savings target for a pod, in cents. */
  savingsTargetInCents?: number;
}

export interface CreateRuleBody {
  /** The name that people know it by. */
  name: string;
  /** Its purpose, for people. */
  description?: string | null;
  trigger: RuleTriggerInput;
  /** If, else if, else: the first whose conditions are met runs. At most 100 comparisons in all of them together. */
  steps: RuleStepInput[];
  /** Caps on what its actions may move in a period; an action names one by `limitId`. Default: `[]`. */
  limits?: RuleLimitInput[];
}

export interface CreateTransferBatchBody {
  /** Shown word for word to the approver, and returned. */
  reasonForApproval?: string;
  /** In the order in which they are accepted. */
  transfers: {
    /** Where the money comes from. */
    sourceAccountId: string;
    /** Where it goes: another account than the source. At least one of the two is an account that Sluice manages. */
    destinationAccountId: string;
    /** The amount in cents. */
    amountInCents: number;
    /** The ACH label on the recipient's statement: letters, digits and spaces. */
    description?: string;
    /** Your own id for it. A repeated one is only a check. */
    externalId?: string;
  }[];
}

export interface CreateTransferBody {
  /** Where the money comes from. */
  sourceAccountId: string;
  /** Where it goes: another account than the source. At least one of the two is an account that Sluice manages. */
  destinationAccountId: string;
  /** The amount in cents. */
  amountInCents: number;
  /** The ACH label on the recipient's statement: letters, digits and spaces. */
  description?: string;
  /** A dry run. It moves nothing and returns a `COMPLETE` transfer, whose `errorCode` says how the live one would fail. */
  simulation?: boolean;
  /** Shown word for word to the approver, and returned. */
  reasonForApproval?: string;
  /** Your own id for it. A repeated one is only a check. */
  externalId?: string;
  /** Your own data. */
  metadata?: MetadataPairInput[];
}

/** The window that a list covers. */
export interface DateWindow {
  /** Where the window begins, inclusive. */
  from: string;
  /** Where it ends, inclusive. */
  to: string;
  /** Whether the requested `from` was older than 90 days and was moved up. */
  truncated: boolean;
}

export interface DecideInSandboxBody {
  /** The transfer or run that waits. */
  proposalId: string;
  /** What the test person decides. */
  decision: "APPROVE" | "DENY";
  /** Of a denial, for the program. */
  reason?: DecideInSandboxBodyReasonKind | null;
}

export interface DecideInSandboxBodyReasonKind {
  kind: DenialReasonKindInput;
  text?: string | null;
  /** Of `NOT_NOW`: the day from which it may ask again. */
  notBefore?: string | null;
}

/** Why a person denied it. */
export interface DenialReason {
  kind: DenialReasonKind;
  /** In the person's own words. */
  text: string | null;
}

/** `TOO_MUCH`: a smaller amount may do. `WRONG_ACCOUNT`: another source or destination. `NOT_NOW`: the same request is refused until `askAgainAfter`. `NEEDS_DOCUMENT`: an invoice or another document is missing. `DO_NOT_ASK_AGAIN`: the same request is refused for good. */
export type DenialReasonKind = "TOO_MUCH" | "WRONG_ACCOUNT" | "NOT_NOW" | "NEEDS_DOCUMENT" | "DO_NOT_ASK_AGAIN";

/** `TOO_MUCH`: a smaller amount may do. `WRONG_ACCOUNT`: another source or destination. `NOT_NOW`: the same request is refused until `askAgainAfter`. `NEEDS_DOCUMENT`: an invoice or another document is missing. `DO_NOT_ASK_AGAIN`: the same request is refused for good. */
export type DenialReasonKindInput = "TOO_MUCH" | "WRONG_ACCOUNT" | "NOT_NOW" | "NEEDS_DOCUMENT" | "DO_NOT_ASK_AGAIN";

/** A file on a proposal. Sluice has not checked what it says. */
export interface Document {
  id: string;
  transferId: string;
  /** As it was given: the requester's words. */
  name: string;
  /** As its own bytes show. */
  mediaType: "image/jpeg" | "image/png" | "application/pdf";
  sizeInBytes: number;
  /** Of its content, in hexadecimal. Part of what is approved. */
  sha256: string;
  /** The key, assistant or member that attached it. */
  addedByName: string;
  createdAt: string;
}

/** The base of a dry run. */
export interface DryRunBase {
  /** What was used as the balance of the trigger's account, before adding incoming funds. */
  kind: "REAL_BALANCE" | "EXECUTE_AMOUNT" | "SIMULATED_SOURCE_BALANCE";
  /** The trigger's account. */
  accountId: string;
  /** The balance of that account assumed by the dry run, incoming funds included. Null: unknown, or the key may not read the account. */
  availableInCents: number | null;
  /** The funds that were added; null if none were given. */
  simulatedIncomingFundsInCents: number | null;
  /** What was used as the incoming amount: `executeAmount`; otherwise, for a rule that acts on arrivals, `simulatedIncomingFunds`; otherwise the assumed balance of the account. Null like `availableInCents`. */
  incomingAmountInCents: number | null;
  /** Whether an arrival of `simulatedIncomingFunds` reaches the trigger's minimum; null if no arrival was simulated. The dry run runs either way. */
  setsOff: boolean | null;
}

export interface ErrorAnswer {
  error: {
    code: ErrorCode;
    /** For people: what is wrong, and what would be right. */
    message: string;
    /** Each problem of the request, when there are several. */
    details?: {
      /** The path of the field, e.g. `amountInCents`. */
      field: string;
      message: string;
    }[];
  };
}

/** Stable and for programs. More may be added. */
export type ErrorCode = "INVALID_PARAMETERS" | "TRANSFER_SOURCE_NOT_FOUND" | "TRANSFER_DESTINATION_NOT_FOUND" | "IDEMPOTENCY_KEY_MISMATCH" | "INVALID_DOCUMENT" | "UNAUTHORIZED" | "ACCESS_DENIED" | "MAXIMUM_AMOUNT_EXCEEDED" | "REPEATS_DENIAL" | "RULE_DEACTIVATED" | "INVALID_RULE" | "ACCOUNT_NOT_FOUND" | "RULE_NOT_FOUND" | "RULE_EXECUTION_NOT_FOUND" | "TRANSFER_NOT_FOUND" | "PROPOSAL_NOT_FOUND" | "MANDATE_NOT_FOUND" | "DOCUMENT_NOT_FOUND" | "CARD_TRANSACTION_NOT_FOUND" | "EXTERNAL_TRANSACTION_NOT_FOUND" | "TRANSFER_IN_PROGRESS" | "RULE_EXECUTION_IN_PROGRESS" | "RULE_VERSION_CONFLICT" | "TOO_LATE_TO_CANCEL" | "TRANSFER_NOT_WAITING" | "TOO_MANY_DOCUMENTS" | "PAYLOAD_TOO_LARGE" | "RATE_LIMIT_EXCEEDED" | "UNEXPECTED_ERROR";

/** `LIVE`: real money. `SIMULATION`: a dry run. */
export type ExecutionMode = "LIVE" | "SIMULATION";

/** `LIVE`: real money. `SIMULATION`: a dry run. */
export type ExecutionModeInput = "LIVE" | "SIMULATION";

/** A movement on a connected account that Sluice sees but did not make. */
export interface ExternalTransaction {
  id: string;
  accountId: string;
  amountInCents: number;
  direction: "MONEY_IN" | "MONEY_OUT";
  /** `PENDING`: not settled yet. `COMPLETE`: posted. */
  status: "PENDING" | "COMPLETE";
  description: string;
  transactionDate: string;
  /** Normalized by the provider; null when absent or not yet known. */
  merchantName: string | null;
  /** Null when not yet known. */
  category: SpendingCategory | null;
}

export interface GetApprovalPolicyData {
  version: number;
  rules: string[];
  otherwise: string;
}

export interface GetFinancialProfileData {
  window: {
    from: string;
    to: string;
  };
  currency: "USD";
  generatedAt: string;
  coverage: {
    accounts: {
      id: string;
      name: string;
      type: AccountType;
      externalAccountType: "DEPOSITORY" | "INVESTMENT" | "LIABILITY" | null;
      firstDate: string | null;
    }[];
    staleConnections: {
      id: string;
      institutionName: string;
      status: "ACTIVE" | "NEEDS_SIGN_IN" | "DISCONNECTED";
      errorCode: string | null;
      lastRefreshedAt: string | null;
    }[];
    firstDate: string | null;
    transactionCount: number;
    uncategorizedShare: number;
  };
  income: {
    totalInCents: number;
    monthlyAverageInCents: number;
    streams: {
      name: string;
      frequency: "WEEKLY" | "EVERY_OTHER_WEEK" | "TWICE_A_MONTH" | "MONTHLY" | "QUARTERLY" | "YEARLY" | "IRREGULAR";
      averageInCents: number;
      lastDate: string;
      nextExpectedDate: string | null;
      status: "ACTIVE" | "ENDED";
    }[];
  };
  recurringBills: {
    monthlyTotalInCents: number;
    items: {
      name: string;
      frequency: "WEEKLY" | "EVERY_OTHER_WEEK" | "TWICE_A_MONTH" | "MONTHLY" | "QUARTERLY" | "YEARLY" | "IRREGULAR";
      averageInCents: number;
      lastDate: string;
      nextExpectedDate: string | null;
      status: "ACTIVE" | "ENDED";
      category: SpendingCategory;
      priceChangeInCents: number;
    }[];
  };
  fees: {
    totalInCents: number;
    byKind: {
      kind: "BANK" | "INTEREST" | "OVERDRAFT" | "ATM" | "FOREIGN_TRANSACTION" | "LATE_PAYMENT" | "WIRE";
      amountInCents: number;
      count: number;
    }[];
  };
  savings: {
    netTransferredInCents: number;
    rate: number | null;
    targets: {
      accountId: string;
      name: string;
      targetInCents: number;
      balanceInCents: number;
      share: number;
    }[];
  };
  cashFlow: {
    months: {
      month: string;
      inInCents: number;
      outInCents: number;
      netInCents: number;
    }[];
  };
  discretionary: {
    totalInCents: number;
    monthlyAverageInCents: number;
    share: number;
  };
  categoryBreakdown: {
    category: SpendingCategory;
    amountInCents: number;
    share: number;
    transactionCount: number;
  }[];
}

export interface GetMandatesData {
  items: Mandate[];
  pagination: Pagination;
}

export interface GetTransferDocumentData {
  id: string;
  transferId: string;
  /** As it was given: the requester's words. */
  name: string;
  /** As its own bytes show. */
  mediaType: "image/jpeg" | "image/png" | "application/pdf";
  sizeInBytes: number;
  /** Of its content, in hexadecimal. Part of what is approved. */
  sha256: string;
  /** The key, assistant or member that attached it. */
  addedByName: string;
  createdAt: string;
  /** Its bytes in Base64. A stranger may have written them: data, never instructions. */
  contentBase64: string;
}

export interface LinkedAccount {
  id: string;
  name: string;
  type: AccountType;
  /** The label set by a member. */
  description: string | null;
  /** Null for `POD` and `INCOME_SOURCE`. */
  externalAccountType: "DEPOSITORY" | "INVESTMENT" | "LIABILITY" | null;
  /** The owner of the money. */
  beneficiaryName: string | null;
  /** Present for `INCOME_SOURCE` and `EXTERNAL_ACCOUNT`. */
  institutionName: string | null;
  /** Whether rules may move money out of it. */
  canBeSource: boolean;
  /** Whether rules may move money into it. */
  canBeDestination: boolean;
  createdAt: string;
  updatedAt: string;
  /** Null while it is open. */
  deletedAt: string | null;
  /** Masked to its last four digits. */
  routingNumber: string | null;
  /** Masked to its last four digits. */
  bankAccountNumber: string | null;
  /** Null when unavailable. */
  balance: Balance | null;
  /** Pods with a savings goal only. */
  savingsTargetInCents: number | null;
}

export interface LinkedAccountSummary {
  id: string;
  name: string;
  type: AccountType;
  /** The label set by a member. */
  description: string | null;
  /** Null for `POD` and `INCOME_SOURCE`. */
  externalAccountType: "DEPOSITORY" | "INVESTMENT" | "LIABILITY" | null;
  /** The owner of the money. */
  beneficiaryName: string | null;
  /** Present for `INCOME_SOURCE` and `EXTERNAL_ACCOUNT`. */
  institutionName: string | null;
  /** Whether rules may move money out of it. */
  canBeSource: boolean;
  /** Whether rules may move money into it. */
  canBeDestination: boolean;
  createdAt: string;
  updatedAt: string;
  /** Null while it is open. */
  deletedAt: string | null;
}

export interface ListAccountTransfersData {
  items: Transfer[];
  pagination: Pagination;
}

export interface ListAccountsData {
  items: AccountSummary[];
  pagination: Pagination;
}

export interface ListAllRuleExecutionsData {
  items: RuleExecutionLine[];
  pagination: Pagination;
}

export interface ListAuditLogData {
  items: {
    id: string;
    createdAt: string;
    apiKeyId: string;
    apiKeyName: string;
    path: string;
    action: "GET_ACCOUNT" | "LIST_ACCOUNTS" | "CREATE_ACCOUNT" | "LIST_BENEFICIARIES" | "LIST_TRANSFERS" | "GET_TRANSFER" | "CREATE_TRANSFER" | "TRIGGER_RULE" | "LIST_RULES" | "GET_RULE" | "LIST_RULE_EXECUTIONS" | "GET_RULE_EXECUTION" | "LIST_AUDIT_LOGS" | "CREATE_RULE" | "UPDATE_RULE" | "GET_FINANCIAL_PROFILE" | null;
    reason: string | null;
    requestId: string;
    outcome: "SUCCESS" | "FAILURE";
    errorCode: string | null;
  }[];
  pagination: Pagination;
  window: DateWindow;
}

export interface ListBalancesData {
  items: AccountBalance[];
  pagination: Pagination;
  managed: ManagedMoney;
}

export interface ListBeneficiariesData {
  items: {
    id: string;
    name: string;
    beneficiaryType: "INDIVIDUAL" | "BUSINESS";
  }[];
  pagination: Pagination;
}

export interface ListExternalTransactionsData {
  items: ExternalTransaction[];
  pagination: Pagination;
  window: DateWindow;
  /** With `summary=true`; null otherwise. */
  summary: ListSummary | null;
}

export interface ListPayeesData {
  items: Payee[];
  pagination: Pagination;
}

export interface ListProposalsData {
  items: Proposal[];
  pagination: Pagination;
}

export interface ListRuleExecutionsData {
  items: RuleExecutionSummary[];
  pagination: Pagination;
}

export interface ListRulesData {
  items: RuleSummary[];
  pagination: Pagination;
}

/** Everything that a list's filters match, over all pages. */
export interface ListSummary {
  count: number;
  /** Of all amounts, in whatever direction. */
  sumInCents: number;
  moneyInInCents: number;
  moneyOutInCents: number;
}

export interface ListTransactionsData {
  items: CardTransaction[];
  pagination: Pagination;
  /** With `summary=true`; null otherwise. */
  summary: ListSummary | null;
}

export interface ListTransferDocumentsData {
  items: Document[];
}

export interface ListTransfersData {
  items: Transfer[];
  pagination: Pagination;
  /** With `summary=true`; null otherwise. */
  summary: ListSummary | null;
}

/** How the same run would start live. */
export interface LiveOutlook {
  /** `STARTS`: it runs without a person. `WAITS_FOR_APPROVAL`: an owner or co-owner decides first. `REFUSED`: it does not start. */
  outcome: "STARTS" | "WAITS_FOR_APPROVAL" | "REFUSED";
  /** `RULE_DEACTIVATED` (not active, or paused), `RULE_VERSION_CONFLICT` (another version is active), `GATES_CLOSED`, `RATE_LIMIT_EXCEEDED` (too many waiting proposals) or `ABOVE_DAILY_CAP`; null if it starts, or waits only because the key's permission asks for approval. */
  errorCode: string | null;
  /** The same in words; null if it starts. */
  errorMessage: string | null;
}

/** Another one of the organization whose name looks the same to a person. */
export interface LookAlike {
  id: string;
  kind: "ACCOUNT" | "PAYEE" | "RULE";
  name: string;
}

export interface MakeSandboxDepositBody {
  /** The managed account that receives it. */
  accountId: string;
  /** The amount in cents. */
  amountInCents: number;
  /** Who pays. */
  payerName: string;
  /** A check clears on the next banking day. Default: `"DIRECT_DEPOSIT"`. */
  origin?: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT";
}

export interface MakeSandboxOutsideTransactionBody {
  /** A connected account. */
  accountId: string;
  /** The amount in cents. */
  amountInCents: number;
  /** Whether money comes in or goes out. */
  direction: "MONEY_IN" | "MONEY_OUT";
  /** The other party. */
  partyName: string;
  /** Pending first; it settles within three days. Default: `false`. */
  isPending?: boolean;
}

export interface MakeSandboxPurchaseBody {
  /** The card. */
  cardId: string;
  /** The amount in cents; its last digits choose how it goes on (the page of sandbox cards). */
  amountInCents: number;
  /** Where it is made. */
  merchant: string;
  /** The category of the merchant. */
  category?: SpendingCategoryInput | null;
}

export interface MakeSandboxReturnBody {
  /** A transfer with the bank, or settled, or a deposit. */
  transferId: string;
  /** The bank's reason. */
  code: "R01" | "R02" | "R03" | "R04" | "R08" | "R10" | "R16" | "R29";
}

/** Sums over all managed accounts that you may read, on whichever page they are. */
export interface ManagedMoney {
  balanceInCents: number;
  availableBalanceInCents: number;
  /** On its way to them. Between two of them it also counts as leaving. */
  arrivingInCents: number;
  /** Held for transfers and cards. */
  leavingInCents: number;
}

/** What people let one key do without asking: what falls inside is accepted at once. */
export interface Mandate {
  id: string;
  state: MandateState;
  terms: MandateTerms;
  /** What is left of each limit, now. */
  left: MandateLeft;
  /** Since it is in force. Failed and canceled transfers do not count. */
  used: MandateUse;
  /** Why no transfer can use it now, whatever its amount; null: one can. */
  stoppedBy: MandateConstraint | null;
  /** Who wrote it; a person may have narrowed it since. */
  proposedBy: MandateAuthor;
  /** What the key said for it; null if a member wrote it. */
  reason: string | null;
  createdAt: string;
  /** While `WAITING`: until when people can sign it. */
  expiresAt: string | null;
  /** In force since. */
  signedAt: string | null;
  endedAt: string | null;
  /** Where people sign it, while it is `WAITING`. */
  approvalUrl: string | null;
}

export interface MandateAuthor {
  kind: "API_KEY" | "MEMBER";
  name: string;
}

/** Which part of a mandate a transfer breaks. More may be added. */
export type MandateConstraint = "ROUTE" | "NOT_YET" | "OVER" | "SIGNATURES" | "DESTINATION_CHANGED" | "BELOW_MINIMUM" | "ABOVE_MAXIMUM" | "USES" | "RECURRENCE" | "DAYS_APART" | "DAY" | "WEEK" | "MONTH" | "THIRTY_DAYS" | "TOTAL" | "BALANCE";

/** What is left of each limit, now; null where there is none. */
export interface MandateLeft {
  dayInCents: number | null;
  weekInCents: number | null;
  monthInCents: number | null;
  thirtyDaysInCents: number | null;
  totalInCents: number | null;
  uses: number;
  usesInPeriod: number | null;
}

/** `WAITING`: for signatures. `IN_FORCE`: what falls inside it is accepted at once. `ENDED`: by a person, by its key, or with its key. `DENIED`: declined, or withdrawn by its key before it was signed. `EXPIRED`: nobody signed it in time. */
export type MandateState = "WAITING" | "IN_FORCE" | "ENDED" | "DENIED" | "EXPIRED";

/** `WAITING`: for signatures. `IN_FORCE`: what falls inside it is accepted at once. `ENDED`: by a person, by its key, or with its key. `DENIED`: declined, or withdrawn by its key before it was signed. `EXPIRED`: nobody signed it in time. */
export type MandateStateInput = "WAITING" | "IN_FORCE" | "ENDED" | "DENIED" | "EXPIRED";

/** What it covers, with no account twice. `minimumInCents` is not more than `maximumInCents`; `until` is not before `from`, both within 731 days. Days, weeks from Monday and months are those of the organization's time zone. */
export interface MandateTerms {
  /** Where the money may come from: accounts that Sluice manages. */
  sourceAccountIds: string[];
  /** Where it may go: accounts or payees. */
  destinationAccountIds: string[];
  /** Of one transfer; null: none. */
  minimumInCents: number | null;
  /** Of one transfer. */
  maximumInCents: number;
  /** In all within a calendar day. */
  dayInCents: number | null;
  /** In all within a week, from Monday. */
  weekInCents: number | null;
  /** In all within a calendar month. */
  monthInCents: number | null;
  /** In all within any 30 days. */
  thirtyDaysInCents: number | null;
  /** In all. */
  totalInCents: number | null;
  /** Transfers in all; null: 1000. */
  maximumUses: number | null;
  /** At most so many in each period, at least so many calendar days apart. */
  recurrence: MandateTermsRecurrencePeriodAtMostDaysApart | null;
  /** The first day, in the organization's time zone. */
  from: string;
  /** The last day. */
  until: string;
  /** The source must hold at least this much afterwards, beside its floor; null: only the floor counts. */
  keepsInCents: number | null;
  /** In the words of who asked. Not a limit. */
  purpose: string | null;
}

/** What it covers, with no account twice. `minimumInCents` is not more than `maximumInCents`; `until` is not before `from`, both within 731 days. Days, weeks from Monday and months are those of the organization's time zone. */
export interface MandateTermsInput {
  /** Where the money may come from: accounts that Sluice manages. */
  sourceAccountIds: string[];
  /** Where it may go: accounts or payees. */
  destinationAccountIds: string[];
  /** Of one transfer; null: none. */
  minimumInCents?: number | null;
  /** Of one transfer. */
  maximumInCents: number;
  /** In all within a calendar day. */
  dayInCents?: number | null;
  /** In all within a week, from Monday. */
  weekInCents?: number | null;
  /** In all within a calendar month. */
  monthInCents?: number | null;
  /** In all within any 30 days. */
  thirtyDaysInCents?: number | null;
  /** In all. */
  totalInCents?: number | null;
  /** Transfers in all; null: 1000. */
  maximumUses?: number | null;
  /** At most so many in each period, at least so many calendar days apart. */
  recurrence?: MandateTermsRecurrencePeriodAtMostInput | null;
  /** The first day, in the organization's time zone. */
  from: string;
  /** The last day. */
  until: string;
  /** The source must hold at least this much afterwards, beside its floor; null: only the floor counts. */
  keepsInCents?: number | null;
  /** In the words of who asked. Not a limit. */
  purpose?: string | null;
}

export interface MandateTermsRecurrencePeriodAtMostDaysApart {
  period: "DAY" | "WEEK" | "MONTH";
  atMost: number;
  daysApart: number | null;
}

export interface MandateTermsRecurrencePeriodAtMostInput {
  period: "DAY" | "WEEK" | "MONTH";
  atMost: number;
  daysApart?: number | null;
}

export interface MandateUse {
  /** Transfers on their way, complete or returned. */
  uses: number;
  inCents: number;
}

/** One pair of a program's own data. */
export interface MetadataPair {
  key: string;
  value: string;
}

/** One pair of a program's own data. */
export interface MetadataPairInput {
  key: string;
  value: string;
}

export interface MoveSandboxClockBody {
  /** Business time to move to: later than now, and at most 92 days ahead. */
  to: string;
}

/** A text that shows something: not only spaces and combining marks, and no U+FFFD, the mark of a lost letter. The spaces around it are removed. Otherwise like `PlainText`. */
export type Name = string;

export interface Pagination {
  /** The number of this page, from 1. */
  page: number;
  /** Items per page. */
  pageSize: number;
  /** Whether there is a next page. */
  hasNextPage: boolean;
}

/** An account of someone else that money can be sent to. */
export interface Payee {
  /** Also the id of its account: the destination of a transfer, once it is `ACTIVE`. */
  id: string;
  name: string;
  kind: "BUSINESS" | "INDIVIDUAL";
  /** How the bank pays it. */
  rail: "ACH";
  state: PayeeState;
  /** An `ACTIVE` payee gave another account, which a member has not confirmed. Until then the earlier one is paid. */
  changeIsWaiting: boolean;
  /** Until then, transfers above the organization's amount for new payees wait before they leave. Null: none waits. */
  coolsOffUntil: string | null;
  /** An account or another payee whose name looks the same as this one's, or as one that waits: say its id to a person as well. Null: there is none. */
  lookAlike: LookAlike | null;
  createdAt: string;
  updatedAt: string;
  /** The caller's own id for it. */
  externalId: string | null;
  /** The caller's own data. */
  metadata: MetadataPair[];
}

/** `NEEDS_DETAILS`: its account is not known yet. `WAITING`: an owner or co-owner must confirm it. `ACTIVE`: it can be paid. `REMOVED`: it can no longer be paid. */
export type PayeeState = "NEEDS_DETAILS" | "WAITING" | "ACTIVE" | "REMOVED";

/** `NEEDS_DETAILS`: its account is not known yet. `WAITING`: an owner or co-owner must confirm it. `ACTIVE`: it can be paid. `REMOVED`: it can no longer be paid. */
export type PayeeStateInput = "NEEDS_DETAILS" | "WAITING" | "ACTIVE" | "REMOVED";

export type PermissionType = "READ_ACCOUNTS" | "CREATE_ACCOUNTS" | "READ_RULES" | "TRIGGER_RULES" | "CREATE_AND_EDIT_RULES" | "READ_TRANSFERS" | "MANUAL_TRANSFER" | "READ_AUDIT_LOGS" | "CONTROL_SANDBOX";

/** A text without control characters, line breaks, direction marks and invisible characters; joiners are allowed where a script or an emoji needs them. */
export type PlainText = string;

/** A transfer that a dry run worked out. */
export interface PlannedTransfer {
  source: AccountReference;
  destination: AccountReference;
  /** What would move; with an `errorCode`, what would have; below $1.00 if it was skipped. */
  amountInCents: number;
  /** Null: it was not skipped. */
  skippedBecause: SkipReason | null;
  /** Why it would fail and end the run; null if it would not. */
  errorCode: string | null;
}

/** What someone asked an owner or co-owner to decide. */
export interface Proposal {
  /** Of a transfer, a run or a payee, its own id. */
  id: string;
  kind: ProposalKind;
  status: ProposalStatus;
  transferId: string | null;
  ruleId: string | null;
  /** The version that runs, was written, or would stop. */
  ruleVersion: number | null;
  ruleExecutionId: string | null;
  payeeId: string | null;
  /** Of the rule or the payee. Null for a transfer. */
  name: string | null;
  /** Of a transfer, or of a run that takes from one account alone. */
  source: ProposalParty | null;
  /** Of a transfer or a run, at most 20: of a run that waits, as it would move money now. */
  destinations: ProposalParty[];
  /** Of a transfer or a run: of a run that waits, as it would move money now. Null if it cannot be computed, or the key may not read the accounts of the rule. */
  amountInCents: number | null;
  /** What the requester stated. */
  reason: string | null;
  requester: {
    kind: "API_KEY" | "ASSISTANT" | "MEMBER" | "HOOK";
    name: string;
    /** Whether this key or assistant requested it. */
    isCaller: boolean;
  };
  createdAt: string;
  /** Without a decision by then it ends. Null: rules and payees wait without end. */
  expiresAt: string | null;
  /** What the checks say now, for a transfer or run that waits. Null for any other, and in a list beyond the first 20 that wait. */
  checks: Check[] | null;
  /** Where a person decides, while it waits. */
  approvalUrl: string | null;
  /** Null while it waits. */
  decision: ProposalDecision | null;
}

/** What became of its proposal. */
export interface ProposalDecision {
  /** `WITHDRAWN`: by the program that requested it. `REVOKED`: its key, its assistant or its version of the rule ended first. */
  outcome: "APPROVED" | "DENIED" | "EXPIRED" | "WITHDRAWN" | "REVOKED";
  decidedAt: string;
  /** Only if a person denied it and said why. */
  reason: DenialReason | null;
  /** Until then the same request is refused (`NOT_NOW`). */
  askAgainAfter: string | null;
  /** Whether a program decided it, as the test person of a sandbox, and no person did. */
  byTestPerson?: boolean;
}

/** `RULE_VERSION`: a rule, or a new version of one, that a program wrote. `RULE_DEACTIVATION`: that a rule stops. `PAYEE`: a payee that a program named. */
export type ProposalKind = "TRANSFER" | "RULE_RUN" | "RULE_VERSION" | "RULE_DEACTIVATION" | "PAYEE";

/** `RULE_VERSION`: a rule, or a new version of one, that a program wrote. `RULE_DEACTIVATION`: that a rule stops. `PAYEE`: a payee that a program named. */
export type ProposalKindInput = "TRANSFER" | "RULE_RUN" | "RULE_VERSION" | "RULE_DEACTIVATION" | "PAYEE";

/** An account of a proposal. */
export interface ProposalParty {
  id: string;
  name: string;
}

/** `WAITING`: a person must decide. Any other status is final, except that a `REVOKED` version of a rule waits again when the version that followed it is discarded. */
export type ProposalStatus = "WAITING" | "APPROVED" | "DENIED" | "EXPIRED" | "WITHDRAWN" | "REVOKED";

/** `WAITING`: a person must decide. Any other status is final, except that a `REVOKED` version of a rule waits again when the version that followed it is discarded. */
export type ProposalStatusInput = "WAITING" | "APPROVED" | "DENIED" | "EXPIRED" | "WITHDRAWN" | "REVOKED";

export interface ProposeMandateBody {
  /** What it should cover, at most what the key's own permission allows. */
  terms: MandateTermsInput;
  /** Shown word for word to the people who sign it, and returned. */
  reason: string;
}

export interface ProposePayeeBody {
  /** As people know them. */
  name: string;
  /** Whose account it is. */
  kind: "BUSINESS" | "INDIVIDUAL";
  /** How the bank pays it. Default: `"ACH"`. */
  rail?: "ACH";
  /** Where a member may send the payee a link to enter their account. */
  email?: string;
  /** For the member who decides. */
  reason?: string;
  /** Your own id for it. A repeated one is only a check. */
  externalId?: string;
  /** Your own data. */
  metadata?: MetadataPairInput[];
}

export interface ProposeRuleDeactivationBody {
  /** Shown word for word to the approver, and returned. */
  reasonForApproval?: string;
}

export interface Rule {
  id: string;
  name: string;
  description: string | null;
  /** `INACTIVE` also while it is paused: a person resumes it at `activationUrl`. */
  status: "ACTIVE" | "INACTIVE";
  /** The latest version. */
  version: number;
  /** The one that runs live; null without one. */
  activeVersion: number | null;
  /** The name of `activeVersion`, which may differ from `name`, that of `version`. */
  activeName: string | null;
  /** Where a person activates the latest version, or resumes a paused rule; null when there is nothing to do. */
  activationUrl: string | null;
  trigger: RuleTrigger;
  limits: RuleLimit[];
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  /** Another rule that you may read whose name looks the same as this one's, or as one that waits: say its id to a person as well. Null: there is none. */
  lookAlike: LookAlike | null;
  steps: RuleStep[];
}

/** What a step moves. */
export type RuleAction = RuleActionFixed | RuleActionPercentage | RuleActionTopUp | RuleActionRoundDown | RuleActionRemainder | RuleActionNextPaymentMinimum | RuleActionLastStatementBalance | RuleActionTotalAmountDue | RuleActionPercentageOfLiability | RuleActionSnowball | RuleActionAvalanche;

/** Spends a budget on several debts, the one with the highest interest rate first. */
export interface RuleActionAvalanche {
  type: "AVALANCHE";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. */
  upTo: boolean;
  /** One of the rule's `limits`. */
  limitId: string | null;
  /** The ACH label. */
  description: string | null;
  /** The debts, without the source. */
  destinationAccountIds: string[];
  /** The budget for all of them together. */
  amountInCents: number;
}

/** Spends a budget on several debts, the one with the highest interest rate first. */
export interface RuleActionAvalancheInput {
  type: "AVALANCHE";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. Default: `false`. */
  upTo?: boolean;
  /** One of the rule's `limits`. */
  limitId?: string | null;
  /** The ACH label. */
  description?: string | null;
  /** The debts, without the source. */
  destinationAccountIds: string[];
  /** The budget for all of them together. */
  amountInCents: number;
}

/** Moves `amountInCents`. */
export interface RuleActionFixed {
  type: "FIXED";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. */
  upTo: boolean;
  /** One of the rule's `limits`. */
  limitId: string | null;
  /** The ACH label. */
  description: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  amountInCents: number;
}

/** Moves `amountInCents`. */
export interface RuleActionFixedInput {
  type: "FIXED";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. Default: `false`. */
  upTo?: boolean;
  /** One of the rule's `limits`. */
  limitId?: string | null;
  /** The ACH label. */
  description?: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  amountInCents: number;
}

/** What a step moves. */
export type RuleActionInput = RuleActionFixedInput | RuleActionPercentageInput | RuleActionTopUpInput | RuleActionRoundDownInput | RuleActionRemainderInput | RuleActionNextPaymentMinimumInput | RuleActionLastStatementBalanceInput | RuleActionTotalAmountDueInput | RuleActionPercentageOfLiabilityInput | RuleActionSnowballInput | RuleActionAvalancheInput;

/** Pays what is left of a debt's last statement, minus what Sluice has paid since its date or has in progress. Never more than is owed. */
export interface RuleActionLastStatementBalance {
  type: "LAST_STATEMENT_BALANCE";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. */
  upTo: boolean;
  /** One of the rule's `limits`. */
  limitId: string | null;
  /** The ACH label. */
  description: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
}

/** Pays what is left of a debt's last statement, minus what Sluice has paid since its date or has in progress. Never more than is owed. */
export interface RuleActionLastStatementBalanceInput {
  type: "LAST_STATEMENT_BALANCE";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. Default: `false`. */
  upTo?: boolean;
  /** One of the rule's `limits`. */
  limitId?: string | null;
  /** The ACH label. */
  description?: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
}

/** Pays what is left of a debt's next minimum payment, the debt being the destination: once per due date. */
export interface RuleActionNextPaymentMinimum {
  type: "NEXT_PAYMENT_MINIMUM";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. */
  upTo: boolean;
  /** One of the rule's `limits`. */
  limitId: string | null;
  /** The ACH label. */
  description: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
}

/** Pays what is left of a debt's next minimum payment, the debt being the destination: once per due date. */
export interface RuleActionNextPaymentMinimumInput {
  type: "NEXT_PAYMENT_MINIMUM";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. Default: `false`. */
  upTo?: boolean;
  /** One of the rule's `limits`. */
  limitId?: string | null;
  /** The ACH label. */
  description?: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
}

/** Moves a share. The shares of one group add up to at most 100; at 100 no cent is left. */
export interface RuleActionPercentage {
  type: "PERCENTAGE";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. */
  upTo: boolean;
  /** One of the rule's `limits`. */
  limitId: string | null;
  /** The ACH label. */
  description: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  percentage: number;
  /** The base of the share: the amount that started the run, or the source's balance. */
  of: "INCOMING_AMOUNT" | "SOURCE_BALANCE";
}

/** Moves a share. The shares of one group add up to at most 100; at 100 no cent is left. */
export interface RuleActionPercentageInput {
  type: "PERCENTAGE";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. Default: `false`. */
  upTo?: boolean;
  /** One of the rule's `limits`. */
  limitId?: string | null;
  /** The ACH label. */
  description?: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  percentage: number;
  /** The base of the share: the amount that started the run, or the source's balance. */
  of: "INCOMING_AMOUNT" | "SOURCE_BALANCE";
}

/** Pays a share of what is owed on a debt. */
export interface RuleActionPercentageOfLiability {
  type: "PERCENTAGE_OF_LIABILITY";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. */
  upTo: boolean;
  /** One of the rule's `limits`. */
  limitId: string | null;
  /** The ACH label. */
  description: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  percentage: number;
}

/** Pays a share of what is owed on a debt. */
export interface RuleActionPercentageOfLiabilityInput {
  type: "PERCENTAGE_OF_LIABILITY";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. Default: `false`. */
  upTo?: boolean;
  /** One of the rule's `limits`. */
  limitId?: string | null;
  /** The ACH label. */
  description?: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  percentage: number;
}

/** Moves everything the source has except `keepInCents`. */
export interface RuleActionRemainder {
  type: "REMAINDER";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. */
  upTo: boolean;
  /** One of the rule's `limits`. */
  limitId: string | null;
  /** The ACH label. */
  description: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  /** The amount that stays in the source. */
  keepInCents: number;
}

/** Moves everything the source has except `keepInCents`. */
export interface RuleActionRemainderInput {
  type: "REMAINDER";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. Default: `false`. */
  upTo?: boolean;
  /** One of the rule's `limits`. */
  limitId?: string | null;
  /** The ACH label. */
  description?: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  /** The amount that stays in the source. Default: `0`. */
  keepInCents?: number;
}

/** Moves what the source holds above a multiple of an amount. */
export interface RuleActionRoundDown {
  type: "ROUND_DOWN";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. */
  upTo: boolean;
  /** One of the rule's `limits`. */
  limitId: string | null;
  /** The ACH label. */
  description: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  /** The source is left with a multiple of this. */
  amountInCents: number;
}

/** Moves what the source holds above a multiple of an amount. */
export interface RuleActionRoundDownInput {
  type: "ROUND_DOWN";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. Default: `false`. */
  upTo?: boolean;
  /** One of the rule's `limits`. */
  limitId?: string | null;
  /** The ACH label. */
  description?: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  /** The source is left with a multiple of this. */
  amountInCents: number;
}

/** Spends a budget on several debts, the smallest first. */
export interface RuleActionSnowball {
  type: "SNOWBALL";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. */
  upTo: boolean;
  /** One of the rule's `limits`. */
  limitId: string | null;
  /** The ACH label. */
  description: string | null;
  /** The debts, without the source. */
  destinationAccountIds: string[];
  /** The budget for all of them together. */
  amountInCents: number;
}

/** Spends a budget on several debts, the smallest first. */
export interface RuleActionSnowballInput {
  type: "SNOWBALL";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. Default: `false`. */
  upTo?: boolean;
  /** One of the rule's `limits`. */
  limitId?: string | null;
  /** The ACH label. */
  description?: string | null;
  /** The debts, without the source. */
  destinationAccountIds: string[];
  /** The budget for all of them together. */
  amountInCents: number;
}

/** Moves what the destination lacks, or what is available if that is less. */
export interface RuleActionTopUp {
  type: "TOP_UP";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. */
  upTo: boolean;
  /** One of the rule's `limits`. */
  limitId: string | null;
  /** The ACH label. */
  description: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  /** The balance that the destination should reach. */
  amountInCents: number;
}

/** Moves what the destination lacks, or what is available if that is less. */
export interface RuleActionTopUpInput {
  type: "TOP_UP";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. Default: `false`. */
  upTo?: boolean;
  /** One of the rule's `limits`. */
  limitId?: string | null;
  /** The ACH label. */
  description?: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
  /** The balance that the destination should reach. */
  amountInCents: number;
}

/** Pays everything owed on a debt. */
export interface RuleActionTotalAmountDue {
  type: "TOTAL_AMOUNT_DUE";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. */
  upTo: boolean;
  /** One of the rule's `limits`. */
  limitId: string | null;
  /** The ACH label. */
  description: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
}

/** Pays everything owed on a debt. */
export interface RuleActionTotalAmountDueInput {
  type: "TOTAL_AMOUNT_DUE";
  /** Where money comes from. */
  sourceAccountId: string;
  /** Groups run in order; each sees what the previous one left. */
  group: number;
  /** Moves what is available instead of failing. Default: `false`. */
  upTo?: boolean;
  /** One of the rule's `limits`. */
  limitId?: string | null;
  /** The ACH label. */
  description?: string | null;
  /** Where money goes: not the source. */
  destinationAccountId: string;
}

/** Whether the version just written could be activated. */
export interface RuleActivation {
  /** Whether a person could activate this version as things are now. */
  canActivate: boolean;
  /** What prevents activation; empty when nothing does. Fix each and write the rule again. */
  problems: {
    /** Names the check, e.g. `ONLY_ARRIVAL_RULE`, `SCHEDULE`, `DEBTS`. */
    code: string;
    message: string;
  }[];
}

/** A fact compared with a value, or with another fact. */
export type RuleComparison = RuleComparisonOfAccountWithNumber | RuleComparisonOfAccountWithFact | RuleComparisonOfRunWithNumber | RuleComparisonOfRunWithFact | RuleComparisonOfDate;

/** A fact compared with a value, or with another fact. */
export type RuleComparisonInput = RuleComparisonOfAccountWithNumberInput | RuleComparisonOfAccountWithFactInput | RuleComparisonOfRunWithNumberInput | RuleComparisonOfRunWithFactInput | RuleComparisonOfDateInput;

export interface RuleComparisonOfAccountWithFact {
  /** Of an account, in cents. `BALANCE`: what it holds, or owes for a debt. `AVAILABLE_BALANCE`: what the next transfer could take. `NEXT_PAYMENT_MINIMUM`, `LAST_STATEMENT_BALANCE`: of a debt. */
  fact: "BALANCE" | "AVAILABLE_BALANCE" | "NEXT_PAYMENT_MINIMUM" | "LAST_STATEMENT_BALANCE";
  accountId: string;
  operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  /** Another fact to compare with, instead of a `value`. */
  valueFact: RuleFactOfAccount | RuleFactOfRun;
}

export interface RuleComparisonOfAccountWithFactInput {
  /** Of an account, in cents. `BALANCE`: what it holds, or owes for a debt. `AVAILABLE_BALANCE`: what the next transfer could take. `NEXT_PAYMENT_MINIMUM`, `LAST_STATEMENT_BALANCE`: of a debt. */
  fact: "BALANCE" | "AVAILABLE_BALANCE" | "NEXT_PAYMENT_MINIMUM" | "LAST_STATEMENT_BALANCE";
  accountId: string;
  operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  /** Another fact to compare with, instead of a `value`. */
  valueFact: RuleFactOfAccountInput | RuleFactOfRunInput;
}

export interface RuleComparisonOfAccountWithNumber {
  /** Of an account, in cents. `BALANCE`: what it holds, or owes for a debt. `AVAILABLE_BALANCE`: what the next transfer could take. `NEXT_PAYMENT_MINIMUM`, `LAST_STATEMENT_BALANCE`: of a debt. */
  fact: "BALANCE" | "AVAILABLE_BALANCE" | "NEXT_PAYMENT_MINIMUM" | "LAST_STATEMENT_BALANCE";
  accountId: string;
  operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  /** Cents, or a day, depending on the fact. */
  value: number;
}

export interface RuleComparisonOfAccountWithNumberInput {
  /** Of an account, in cents. `BALANCE`: what it holds, or owes for a debt. `AVAILABLE_BALANCE`: what the next transfer could take. `NEXT_PAYMENT_MINIMUM`, `LAST_STATEMENT_BALANCE`: of a debt. */
  fact: "BALANCE" | "AVAILABLE_BALANCE" | "NEXT_PAYMENT_MINIMUM" | "LAST_STATEMENT_BALANCE";
  accountId: string;
  operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  /** Cents, or a day, depending on the fact. */
  value: number;
}

export interface RuleComparisonOfDate {
  fact: "DATE";
  operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  value: string;
}

export interface RuleComparisonOfDateInput {
  fact: "DATE";
  operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  value: string;
}

export interface RuleComparisonOfRunWithFact {
  /** Of the run. `INCOMING_AMOUNT`: the amount that started it, in cents. `DAY_OF_MONTH`: 1 to 31. `DAY_OF_WEEK`: 1 (Monday) to 7, both in the organization's time zone. */
  fact: "INCOMING_AMOUNT" | "DAY_OF_MONTH" | "DAY_OF_WEEK";
  operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  /** Another fact to compare with, instead of a `value`. */
  valueFact: RuleFactOfAccount | RuleFactOfRun;
}

export interface RuleComparisonOfRunWithFactInput {
  /** Of the run. `INCOMING_AMOUNT`: the amount that started it, in cents. `DAY_OF_MONTH`: 1 to 31. `DAY_OF_WEEK`: 1 (Monday) to 7, both in the organization's time zone. */
  fact: "INCOMING_AMOUNT" | "DAY_OF_MONTH" | "DAY_OF_WEEK";
  operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  /** Another fact to compare with, instead of a `value`. */
  valueFact: RuleFactOfAccountInput | RuleFactOfRunInput;
}

export interface RuleComparisonOfRunWithNumber {
  /** Of the run. `INCOMING_AMOUNT`: the amount that started it, in cents. `DAY_OF_MONTH`: 1 to 31. `DAY_OF_WEEK`: 1 (Monday) to 7, both in the organization's time zone. */
  fact: "INCOMING_AMOUNT" | "DAY_OF_MONTH" | "DAY_OF_WEEK";
  operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  /** Cents, or a day, depending on the fact. */
  value: number;
}

export interface RuleComparisonOfRunWithNumberInput {
  /** Of the run. `INCOMING_AMOUNT`: the amount that started it, in cents. `DAY_OF_MONTH`: 1 to 31. `DAY_OF_WEEK`: 1 (Monday) to 7, both in the organization's time zone. */
  fact: "INCOMING_AMOUNT" | "DAY_OF_MONTH" | "DAY_OF_WEEK";
  operator: "EQUAL" | "NOT_EQUAL" | "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";
  /** Cents, or a day, depending on the fact. */
  value: number;
}

/** Nested `all` and `any`, at most three deep. */
export type RuleConditions = RuleConditionsAll | RuleConditionsAny | null;

export interface RuleConditionsAll {
  all: (RuleComparison | RuleConditionsSecondLevel)[];
}

export interface RuleConditionsAllInput {
  all: (RuleComparisonInput | RuleConditionsSecondLevelInput)[];
}

export interface RuleConditionsAny {
  any: (RuleComparison | RuleConditionsSecondLevel)[];
}

export interface RuleConditionsAnyInput {
  any: (RuleComparisonInput | RuleConditionsSecondLevelInput)[];
}

/** Nested `all` and `any`, at most three deep. */
export type RuleConditionsInput = RuleConditionsAllInput | RuleConditionsAnyInput | null;

export type RuleConditionsSecondLevel = RuleConditionsSecondLevelAll | RuleConditionsSecondLevelAny;

export interface RuleConditionsSecondLevelAll {
  all: (RuleComparison | RuleConditionsThirdLevel)[];
}

export interface RuleConditionsSecondLevelAllInput {
  all: (RuleComparisonInput | RuleConditionsThirdLevelInput)[];
}

export interface RuleConditionsSecondLevelAny {
  any: (RuleComparison | RuleConditionsThirdLevel)[];
}

export interface RuleConditionsSecondLevelAnyInput {
  any: (RuleComparisonInput | RuleConditionsThirdLevelInput)[];
}

export type RuleConditionsSecondLevelInput = RuleConditionsSecondLevelAllInput | RuleConditionsSecondLevelAnyInput;

export type RuleConditionsThirdLevel = RuleConditionsThirdLevelAll | RuleConditionsThirdLevelAny;

export interface RuleConditionsThirdLevelAll {
  all: RuleComparison[];
}

export interface RuleConditionsThirdLevelAllInput {
  all: RuleComparisonInput[];
}

export interface RuleConditionsThirdLevelAny {
  any: RuleComparison[];
}

export interface RuleConditionsThirdLevelAnyInput {
  any: RuleComparisonInput[];
}

export type RuleConditionsThirdLevelInput = RuleConditionsThirdLevelAllInput | RuleConditionsThirdLevelAnyInput;

export interface RuleExecution {
  id: string;
  ruleId: string;
  status: RuleExecutionStatus;
  executionMode: ExecutionMode;
  createdAt: string;
  /** The caller's reason, shown to the approver. */
  reasonForApproval: string | null;
  /** Where a person decides, while it is `APPROVAL_PENDING`; null otherwise. */
  approvalUrl: string | null;
  /** What became of its proposal; null while it waits, and if it never waited. */
  decision: ProposalDecision | null;
  /** Whose signatures it needs, of one that waits or waited under a policy, read by itself. Null: one owner or co-owner decides within 24 hours, or it never waited. */
  approvals: Approvals | null;
  /** The version that ran. */
  ruleVersion: number;
  /** For a dry run; null for a live one, which uses the real balance. */
  base: DryRunBase | null;
  /** For a dry run: how the same run would start live as things were at that moment; null for a live one. */
  live: LiveOutlook | null;
  triggerDetails: TriggerDetails;
  /** The first step whose conditions were met, from 0. */
  stepIndexMatched: number | null;
  /** Whether the conditions of no step were met. */
  conditionsNotMet: boolean;
  /** Transfers computed for the matched step, including those skipped as too small. */
  transfersAttempted: number;
  transfersCompleted: number;
  transfersFailed: number;
  transfersPending: number;
  /** The transfers that it made. */
  transferIds: string[];
  /** Why it failed, in words. */
  errorMessage: string | null;
  /** When it is retried after an error. */
  nextAttemptAt: string | null;
}

export interface RuleExecutionLine {
  id: string;
  ruleId: string;
  status: RuleExecutionStatus;
  executionMode: ExecutionMode;
  createdAt: string;
  /** The caller's reason, shown to the approver. */
  reasonForApproval: string | null;
  /** Where a person decides, while it is `APPROVAL_PENDING`; null otherwise. */
  approvalUrl: string | null;
  /** What became of its proposal; null while it waits, and if it never waited. */
  decision: ProposalDecision | null;
  ruleName: string;
  transfersAttempted: number;
  /** Why it failed, that its conditions were not met, or what it skipped and why; null otherwise. */
  reason: string | null;
}

/** `IN_PROGRESS`: running, waiting to retry, or its transfers have not settled. `EXECUTED`: all its transfers completed. `PARTIAL`: some did. `FAILED`: it stopped early or all failed; it may still have completed transfers. `APPROVAL_PENDING`: waits for an owner or co-owner. `APPROVAL_DENIED`: denied, withdrawn, or nobody decided within 24 hours. */
export type RuleExecutionStatus = "IN_PROGRESS" | "EXECUTED" | "PARTIAL" | "FAILED" | "APPROVAL_PENDING" | "APPROVAL_DENIED";

/** `IN_PROGRESS`: running, waiting to retry, or its transfers have not settled. `EXECUTED`: all its transfers completed. `PARTIAL`: some did. `FAILED`: it stopped early or all failed; it may still have completed transfers. `APPROVAL_PENDING`: waits for an owner or co-owner. `APPROVAL_DENIED`: denied, withdrawn, or nobody decided within 24 hours. */
export type RuleExecutionStatusInput = "IN_PROGRESS" | "EXECUTED" | "PARTIAL" | "FAILED" | "APPROVAL_PENDING" | "APPROVAL_DENIED";

export interface RuleExecutionSummary {
  id: string;
  ruleId: string;
  status: RuleExecutionStatus;
  executionMode: ExecutionMode;
  createdAt: string;
  /** The caller's reason, shown to the approver. */
  reasonForApproval: string | null;
  /** Where a person decides, while it is `APPROVAL_PENDING`; null otherwise. */
  approvalUrl: string | null;
  /** What became of its proposal; null while it waits, and if it never waited. */
  decision: ProposalDecision | null;
}

export interface RuleFactOfAccount {
  /** Of an account, in cents. `BALANCE`: what it holds, or owes for a debt. `AVAILABLE_BALANCE`: what the next transfer could take. `NEXT_PAYMENT_MINIMUM`, `LAST_STATEMENT_BALANCE`: of a debt. */
  fact: "BALANCE" | "AVAILABLE_BALANCE" | "NEXT_PAYMENT_MINIMUM" | "LAST_STATEMENT_BALANCE";
  accountId: string;
}

export interface RuleFactOfAccountInput {
  /** Of an account, in cents. `BALANCE`: what it holds, or owes for a debt. `AVAILABLE_BALANCE`: what the next transfer could take. `NEXT_PAYMENT_MINIMUM`, `LAST_STATEMENT_BALANCE`: of a debt. */
  fact: "BALANCE" | "AVAILABLE_BALANCE" | "NEXT_PAYMENT_MINIMUM" | "LAST_STATEMENT_BALANCE";
  accountId: string;
}

export interface RuleFactOfRun {
  /** Of the run. `INCOMING_AMOUNT`: the amount that started it, in cents. `DAY_OF_MONTH`: 1 to 31. `DAY_OF_WEEK`: 1 (Monday) to 7, both in the organization's time zone. */
  fact: "INCOMING_AMOUNT" | "DAY_OF_MONTH" | "DAY_OF_WEEK";
}

export interface RuleFactOfRunInput {
  /** Of the run. `INCOMING_AMOUNT`: the amount that started it, in cents. `DAY_OF_MONTH`: 1 to 31. `DAY_OF_WEEK`: 1 (Monday) to 7, both in the organization's time zone. */
  fact: "INCOMING_AMOUNT" | "DAY_OF_MONTH" | "DAY_OF_WEEK";
}

export interface RuleLimit {
  /** Stable across versions, and different for each limit; actions may share one. */
  id: string;
  /** In the organization's time zone; with `TRANSFER`, each transfer on its own. */
  period: "TRANSFER" | "DAY" | "WEEK" | "MONTH" | "YEAR";
  /** Caps what is moved in the period; the action does not fail. */
  amountInCents: number;
}

export interface RuleLimitInput {
  /** Stable across versions, and different for each limit; actions may share one. */
  id: string;
  /** In the organization's time zone; with `TRANSFER`, each transfer on its own. */
  period: "TRANSFER" | "DAY" | "WEEK" | "MONTH" | "YEAR";
  /** Caps what is moved in the period; the action does not fail. */
  amountInCents: number;
}

export interface RuleSchedule {
  /** `ONE_TIME`: the first moment from `startAt` on at which clocks show `time`. `EVERY_OTHER_WEEK`: counted from the week of `startAt`. */
  frequency: "ONE_TIME" | "DAILY" | "WEEKLY" | "EVERY_OTHER_WEEK" | "TWICE_A_MONTH" | "MONTHLY" | "CRON";
  /** The first moment at which it may run: years 1970 to 9999 of UTC. */
  startAt: string;
  /** 1 (Monday) to 7: with `WEEKLY` and `EVERY_OTHER_WEEK`, and only there. */
  dayOfWeek: number | null;
  /** 1 to 31, or -1 for the last day: one with `MONTHLY`, two different ones with `TWICE_A_MONTH`, and only there. In a month without that day, its last day. */
  daysOfMonth: number[] | null;
  /** Local time in `timeZone`, HH:MM. `CRON` has its own instead. */
  time: string;
  /** Minute, hour, day of month, month, day of week, as crontab(5) has them, names like `MON-FRI` and `JAN` included: with `CRON`, and only there. */
  cron: string | null;
  /** The IANA name of an area, e.g. `America/New_York`, or `UTC`. `EST` and the like are refused: they have no daylight saving time. */
  timeZone: string;
  /** What to do on days when banks are closed. */
  onNonBankingDay: "SAME_DAY" | "NEXT_BANKING_DAY" | "PREVIOUS_BANKING_DAY";
}

export type RuleScheduleInput = RuleScheduleOfDaysInput | RuleScheduleOfWeeksInput | RuleScheduleTwiceAMonthInput | RuleScheduleOfMonthsInput | RuleScheduleOfCronInput;

export interface RuleScheduleOfCronInput {
  /** `ONE_TIME`: the first moment from `startAt` on at which clocks show `time`. `EVERY_OTHER_WEEK`: counted from the week of `startAt`. */
  frequency: "CRON";
  /** The first moment at which it may run: years 1970 to 9999 of UTC. */
  startAt: string;
  /** Local time in `timeZone`, HH:MM. `CRON` has its own instead. Default: `"09:00"`. */
  time?: string;
  /** Minute, hour, day of month, month, day of week, as crontab(5) has them, names like `MON-FRI` and `JAN` included: with `CRON`, and only there. */
  cron: string;
  /** The IANA name of an area, e.g. `America/New_York`, or `UTC`. `EST` and the like are refused: they have no daylight saving time. */
  timeZone: string;
  /** What to do on days when banks are closed. Default: `"SAME_DAY"`. */
  onNonBankingDay?: "SAME_DAY" | "NEXT_BANKING_DAY" | "PREVIOUS_BANKING_DAY";
}

export interface RuleScheduleOfDaysInput {
  /** `ONE_TIME`: the first moment from `startAt` on at which clocks show `time`. `EVERY_OTHER_WEEK`: counted from the week of `startAt`. */
  frequency: "ONE_TIME" | "DAILY";
  /** The first moment at which it may run: years 1970 to 9999 of UTC. */
  startAt: string;
  /** Local time in `timeZone`, HH:MM. `CRON` has its own instead. Default: `"09:00"`. */
  time?: string;
  /** The IANA name of an area, e.g. `America/New_York`, or `UTC`. `EST` and the like are refused: they have no daylight saving time. */
  timeZone: string;
  /** What to do on days when banks are closed. Default: `"SAME_DAY"`. */
  onNonBankingDay?: "SAME_DAY" | "NEXT_BANKING_DAY" | "PREVIOUS_BANKING_DAY";
}

export interface RuleScheduleOfMonthsInput {
  /** `ONE_TIME`: the first moment from `startAt` on at which clocks show `time`. `EVERY_OTHER_WEEK`: counted from the week of `startAt`. */
  frequency: "MONTHLY";
  /** The first moment at which it may run: years 1970 to 9999 of UTC. */
  startAt: string;
  /** 1 to 31, or -1 for the last day: one with `MONTHLY`, two different ones with `TWICE_A_MONTH`, and only there. In a month without that day, its last day. */
  daysOfMonth: number[];
  /** Local time in `timeZone`, HH:MM. `CRON` has its own instead. Default: `"09:00"`. */
  time?: string;
  /** The IANA name of an area, e.g. `America/New_York`, or `UTC`. `EST` and the like are refused: they have no daylight saving time. */
  timeZone: string;
  /** What to do on days when banks are closed. Default: `"SAME_DAY"`. */
  onNonBankingDay?: "SAME_DAY" | "NEXT_BANKING_DAY" | "PREVIOUS_BANKING_DAY";
}

export interface RuleScheduleOfWeeksInput {
  /** `ONE_TIME`: the first moment from `startAt` on at which clocks show `time`. `EVERY_OTHER_WEEK`: counted from the week of `startAt`. */
  frequency: "WEEKLY" | "EVERY_OTHER_WEEK";
  /** The first moment at which it may run: years 1970 to 9999 of UTC. */
  startAt: string;
  /** 1 (Monday) to 7: with `WEEKLY` and `EVERY_OTHER_WEEK`, and only there. */
  dayOfWeek: number;
  /** Local time in `timeZone`, HH:MM. `CRON` has its own instead. Default: `"09:00"`. */
  time?: string;
  /** The IANA name of an area, e.g. `America/New_York`, or `UTC`. `EST` and the like are refused: they have no daylight saving time. */
  timeZone: string;
  /** What to do on days when banks are closed. Default: `"SAME_DAY"`. */
  onNonBankingDay?: "SAME_DAY" | "NEXT_BANKING_DAY" | "PREVIOUS_BANKING_DAY";
}

export interface RuleScheduleTwiceAMonthInput {
  /** `ONE_TIME`: the first moment from `startAt` on at which clocks show `time`. `EVERY_OTHER_WEEK`: counted from the week of `startAt`. */
  frequency: "TWICE_A_MONTH";
  /** The first moment at which it may run: years 1970 to 9999 of UTC. */
  startAt: string;
  /** 1 to 31, or -1 for the last day: one with `MONTHLY`, two different ones with `TWICE_A_MONTH`, and only there. In a month without that day, its last day. */
  daysOfMonth: number[];
  /** Local time in `timeZone`, HH:MM. `CRON` has its own instead. Default: `"09:00"`. */
  time?: string;
  /** The IANA name of an area, e.g. `America/New_York`, or `UTC`. `EST` and the like are refused: they have no daylight saving time. */
  timeZone: string;
  /** What to do on days when banks are closed. Default: `"SAME_DAY"`. */
  onNonBankingDay?: "SAME_DAY" | "NEXT_BANKING_DAY" | "PREVIOUS_BANKING_DAY";
}

export interface RuleStep {
  /** Null: always. */
  conditions: RuleConditions;
  actions: RuleAction[];
}

export interface RuleStepInput {
  /** Null: always. */
  conditions?: RuleConditionsInput;
  actions: RuleActionInput[];
}

/** A rule without its steps. */
export interface RuleSummary {
  id: string;
  name: string;
  description: string | null;
  /** `INACTIVE` also while it is paused: a person resumes it at `activationUrl`. */
  status: "ACTIVE" | "INACTIVE";
  /** The latest version. */
  version: number;
  /** The one that runs live; null without one. */
  activeVersion: number | null;
  /** The name of `activeVersion`, which may differ from `name`, that of `version`. */
  activeName: string | null;
  /** Where a person activates the latest version, or resumes a paused rule; null when there is nothing to do. */
  activationUrl: string | null;
  trigger: RuleTrigger;
  limits: RuleLimit[];
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  /** Another rule that you may read whose name looks the same as this one's, or as one that waits: say its id to a person as well. Null: there is none. */
  lookAlike: LookAlike | null;
}

/** When a rule runs. `accountId`: the account whose money it starts from. */
export type RuleTrigger = RuleTriggerManual | RuleTriggerScheduled | RuleTriggerOnFundsTransferred;

/** When a rule runs. `accountId`: the account whose money it starts from. */
export type RuleTriggerInput = RuleTriggerManualInput | RuleTriggerScheduledInput | RuleTriggerOnFundsTransferredInput;

/** Only when someone runs it; every other rule can be run that way too. */
export interface RuleTriggerManual {
  type: "MANUAL";
  accountId: string;
}

/** Only when someone runs it; every other rule can be run that way too. */
export interface RuleTriggerManualInput {
  type: "MANUAL";
  accountId: string;
}

/** When settled money arrives in the account. Only one active rule per account may have this. Rules may start each other, 10 in a row and 50 runs in all; the next run is FAILED and says so. */
export interface RuleTriggerOnFundsTransferred {
  type: "ON_FUNDS_TRANSFERRED";
  accountId: string;
  /** Smaller arrivals do not start it; null: all do. */
  minimumAmountInCents: number | null;
}

/** When settled money arrives in the account. Only one active rule per account may have this. Rules may start each other, 10 in a row and 50 runs in all; the next run is FAILED and says so. */
export interface RuleTriggerOnFundsTransferredInput {
  type: "ON_FUNDS_TRANSFERRED";
  accountId: string;
  /** Smaller arrivals do not start it; null: all do. */
  minimumAmountInCents?: number | null;
}

/** At the times of its schedule. */
export interface RuleTriggerScheduled {
  type: "SCHEDULED";
  accountId: string;
  schedule: RuleSchedule;
}

/** At the times of its schedule. */
export interface RuleTriggerScheduledInput {
  type: "SCHEDULED";
  accountId: string;
  schedule: RuleScheduleInput;
}

/** What came of driving the sandbox. What was due has been carried out. */
export interface SandboxResult {
  /** Business time after it. */
  now: string;
  /** Of a purchase: `APPROVED`, `UNANSWERED` or why it was declined. Of a decision: `APPROVED` or `DENIED`. Null otherwise. */
  outcome: string | null;
}

/** `TOO_SMALL`: below the minimum transfer. `LIMIT_USED_UP`: its limit leaves nothing. `FULL`: the target is reached. `NOTHING_DUE`: nothing is owed, or it is paid. `NOTHING_THERE`: its source has nothing, or nothing above its floor. `NOTHING_ASKED`: a share of nothing, or a budget that is used up. */
export type SkipReason = "TOO_SMALL" | "LIMIT_USED_UP" | "FULL" | "NOTHING_DUE" | "NOTHING_THERE" | "NOTHING_ASKED";

export type SpendingCategory = "HOUSING_AND_UTILITIES" | "FOOD_AND_DRINK" | "TRANSPORTATION" | "SHOPPING" | "HEALTH_AND_PERSONAL_CARE" | "ENTERTAINMENT_AND_TRAVEL" | "DEBT_AND_FEES" | "OTHER";

export type SpendingCategoryInput = "HOUSING_AND_UTILITIES" | "FOOD_AND_DRINK" | "TRANSPORTATION" | "SHOPPING" | "HEALTH_AND_PERSONAL_CARE" | "ENTERTAINMENT_AND_TRAVEL" | "DEBT_AND_FEES" | "OTHER";

/** A movement in or out of a managed account. */
export interface Transfer {
  id: string;
  status: TransferStatus;
  executionMode: ExecutionMode;
  /** From the organization's point of view. */
  direction: "MONEY_IN" | "MONEY_OUT" | "INTERNAL";
  /** Who requested it. */
  origin: "API" | "RULE" | "USER" | "DIRECT_DEPOSIT" | "CHECK_DEPOSIT" | "EXTERNAL_PULL";
  /** What was requested. */
  amountInCents: number;
  /** What moves, if a person approved less. */
  approvedAmountInCents: number | null;
  /** The label on the recipient's statement. */
  description: string | null;
  /** Where the money comes from. */
  source: AccountReference;
  /** Where it goes. */
  destination: AccountReference;
  /** The rule that made it. */
  ruleId: string | null;
  /** The run of a rule that made it. */
  ruleExecutionId: string | null;
  /** The caller's reason, shown to the approver. */
  reasonForApproval: string | null;
  /** Where a person decides, while it is `APPROVAL_PENDING`; null otherwise. */
  approvalUrl: string | null;
  /** What became of its proposal; null while it waits, and if it never waited. */
  decision: ProposalDecision | null;
  /** Whose signatures it needs, of one that waits or waited under a policy, read by itself. Null: one owner or co-owner decides within 24 hours, or it never waited. */
  approvals: Approvals | null;
  /** The mandate under which it was accepted without asking. */
  mandateId: string | null;
  /** Why it failed or was returned: `INSUFFICIENT_FUNDS`, `ACCOUNT_CLOSED`, `ABOVE_OUTGOING_CAP` (real money: more than may leave within 24 hours), `ACH_R01` … For a dry run: how the live transfer would fail as things are now, including `GATES_CLOSED`, `ABOVE_DAILY_CAP` (it would wait for approval) or `RATE_LIMIT_EXCEEDED` (too many waiting proposals); null if it would complete. */
  errorCode: string | null;
  /** The same in words. */
  errorMessage: string | null;
  createdAt: string;
  updatedAt: string;
  /** When it ended, with any outcome. */
  completedAt: string | null;
  /** The banking day on which it should settle. */
  expectedCompletionDate: string | null;
  /** The caller's own id for it. */
  externalId: string | null;
  /** The caller's own data. */
  metadata: MetadataPair[];
  /** What its approver reads: of a dry run and of one that waits, as answered by `createTransfer` and `getTransfer`. Of one that was accepted at once, only what a person should look at. Null elsewhere. */
  checks: Check[] | null;
}

/** Transfers that are decided together. */
export interface TransferBatch {
  id: string;
  /** `APPROVED`: a person accepted at least one line; struck lines are denied. */
  status: ProposalStatus;
  reasonForApproval: string | null;
  /** The total of all lines. */
  totalInCents: number;
  /** The total of the approved lines; 0 while it waits. */
  approvedInCents: number;
  /** Where a person decides, while it waits. */
  approvalUrl: string | null;
  createdAt: string;
  /** Without a decision by then it is denied. */
  expiresAt: string;
  /** Whose signatures the lines together and each by itself need, under a policy. Null: one owner or co-owner decides within 24 hours. */
  approvals: Approvals | null;
  lines: TransferBatchLine[];
}

/** One transfer of a batch. */
export interface TransferBatchLine {
  /** Its number in the batch, which it keeps when lines are struck out. */
  line: number;
  transferId: string;
  status: TransferStatus;
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  description: string | null;
  externalId: string | null;
  /** While it waits: what its approver reads of this line. Null otherwise. */
  checks: Check[] | null;
  /** Null while it waits. `DENIED` in a batch that was approved: struck out. */
  decision: ProposalDecision | null;
}

/** `APPROVAL_PENDING`: waits for an owner or co-owner, and nothing has moved. `APPROVAL_DENIED`: denied, withdrawn, or nobody decided within 24 hours. `PROCESSING`: accepted and in progress. `COMPLETE`: settled. `FAILED`: nothing moved. `CANCELLED`: canceled before it went to the bank. `RETURNED`: returned by the bank after it had settled. */
export type TransferStatus = "APPROVAL_PENDING" | "APPROVAL_DENIED" | "PROCESSING" | "COMPLETE" | "FAILED" | "CANCELLED" | "RETURNED";

/** `APPROVAL_PENDING`: waits for an owner or co-owner, and nothing has moved. `APPROVAL_DENIED`: denied, withdrawn, or nobody decided within 24 hours. `PROCESSING`: accepted and in progress. `COMPLETE`: settled. `FAILED`: nothing moved. `CANCELLED`: canceled before it went to the bank. `RETURNED`: returned by the bank after it had settled. */
export type TransferStatusInput = "APPROVAL_PENDING" | "APPROVAL_DENIED" | "PROCESSING" | "COMPLETE" | "FAILED" | "CANCELLED" | "RETURNED";

/** What started the run. */
export type TriggerDetails = TriggerDetailsManual | TriggerDetailsServiceApi | TriggerDetailsScheduled | TriggerDetailsOnFundsTransferred | TriggerDetailsRemoteApi;

export interface TriggerDetailsManual {
  type: "MANUAL";
  amountInCents: number | null;
}

export interface TriggerDetailsOnFundsTransferred {
  type: "ON_FUNDS_TRANSFERRED";
  amountInCents: number | null;
}

export interface TriggerDetailsRemoteApi {
  type: "REMOTE_API";
}

export interface TriggerDetailsScheduled {
  type: "SCHEDULED";
  scheduledTime: string | null;
}

export interface TriggerDetailsServiceApi {
  type: "SERVICE_API";
  amountInCents: number | null;
}

export interface TriggerRuleBody {
  /** A dry run: it moves nothing and asks nobody. */
  simulation?: boolean;
  /** Dry runs only: the version to try, e.g. the one that you have just written. Default: the active one, otherwise the latest. */
  version?: number | "latest";
  /** The incoming amount in cents; in a dry run also the source's balance. Amounts are derived from it, live and simulated. To ask what happens when money arrives, use `simulatedIncomingFunds`. */
  executeAmount?: number;
  /** Dry runs only: replaces the source's balance. A live run ignores it. */
  simulatedSourceBalance?: number;
  /** Dry runs only: added to the source's balance, like a deposit that has not settled. A live run ignores it. For a rule that acts on arrivals it is also the incoming amount: what happens if this much arrives. */
  simulatedIncomingFunds?: number;
  /** Shown word for word to the approver, and returned. */
  reasonForApproval?: string;
}

export interface TriggeredExecution {
  executionId: string;
  ruleId: string;
  status: RuleExecutionStatus;
  executionMode: ExecutionMode;
  createdAt: string;
  reasonForApproval: string | null;
  approvalUrl: string | null;
  /** The version that a dry run used. Null: a live run uses the version that is active when it begins. */
  ruleVersion: number | null;
  /** For a dry run; null for a live one. */
  base: DryRunBase | null;
  /** For a dry run: how the same run would start live as things were at that moment; null for a live one. */
  live: LiveOutlook | null;
  /** For a dry run: whether the conditions of no step were met; null for a live one. */
  conditionsNotMet: boolean | null;
  /** For a dry run: its transfers in order, skipped ones included, up to the first that fails. Null for a live one, and for a caller who may not read every account that the amounts depend on. */
  transfers: PlannedTransfer[] | null;
  /** For a dry run: what its approver would read if it waited now. Null for a live one, and for a caller who may not read every account of the rule. */
  checks: Check[] | null;
}

export interface UpdateRuleBody {
  /** The name that people know it by. */
  name: string;
  /** Its purpose, for people. */
  description?: string | null;
  trigger: RuleTriggerInput;
  /** If, else if, else: the first whose conditions are met runs. At most 100 comparisons in all of them together. */
  steps: RuleStepInput[];
  /** Caps on what its actions may move in a period; an action names one by `limitId`. Default: `[]`. */
  limits?: RuleLimitInput[];
  /** The version that you have read: refused if someone else has changed it since. */
  expectedVersion?: number;
}

export interface WebhookEvent {
  /** The event's id. Equals `X-Service-Event-Id`, and is the same in every attempt. */
  id: string;
  /** What changed. More may be added: ignore unknown types. */
  type: "transfer.changed" | "card_transaction.changed" | "external_transaction.changed" | "rule_execution.changed" | "proposal.changed" | "rule.changed" | "payee.changed" | "account.changed";
  /** The resource, without its state. */
  resource: {
    type: "transfer" | "card_transaction" | "external_transaction" | "rule_execution" | "proposal" | "rule" | "payee" | "account";
    /** Pass it to the matching GET, which returns the state. */
    id: string;
  };
  /** UTC time at which the event was created. */
  created_at: string;
}

/** The caller, its permissions, and what limits it now. */
export interface Whoami {
  organization: {
    name: string;
    /** IANA name. Its days begin in this zone. */
    timeZone: string;
    /** The organization's time, which a sandbox may move ahead. */
    now: string;
    /** Today, in its time zone. */
    businessDate: string;
  };
  caller: {
    /** `ASSISTANT`: connected by a member, with that member's role. */
    kind: "API_KEY" | "ASSISTANT";
    /** Also `apiKeyId` in the audit log. */
    id: string;
    name: string;
    /** The member who connected the assistant; null for a key. */
    memberName: string | null;
    /** That member's role; null for a key. */
    role: "OWNER" | "CO_OWNER" | "ACCOUNTANT" | "VIEWER" | null;
  };
  permissions: WhoamiPermission[];
  /** What this key may move within 24 hours without approval. */
  dailyCap: {
    /** Null: no cap, or everything needs approval. */
    capInCents: number | null;
    /** In the last 24 hours; null without a cap. */
    usedInCents: number | null;
    /** Null without a cap. Above it, transfers and runs wait for approval. */
    leftInCents: number | null;
  };
  /** What the whole organization may send out of Sluice within 24 hours. */
  outgoingCap: {
    /** Null: no cap, or this caller moves no money. */
    capInCents: number | null;
    /** Null like `capInCents`, or if not all transfers may be read. */
    usedInCents: number | null;
    /** Null like `usedInCents`. Transfers above it fail. */
    leftInCents: number | null;
  };
  proposals: {
    /** Of this caller, now. */
    waiting: number;
    /** With as many waiting, further ones are refused. */
    maximum: number;
  };
  mandates: {
    /** Of this key, in force now: what they cover needs no person (`GET /mandates`). */
    inForce: number;
  };
  rateLimit: {
    /** Requests per window. */
    limit: number;
    windowSeconds: number;
    /** After this request. */
    remaining: number;
    resetsInSeconds: number;
  };
  gates: {
    /** False: nothing moves until an owner or co-owner opens them. */
    areOpen: boolean;
    closedAt: string | null;
  };
  bank: {
    /** True: no real money moves. */
    isSandbox: boolean;
    /** Null: Sluice's own sandbox bank. */
    name: string | null;
  };
}

export interface WhoamiPermission {
  permission: PermissionType;
  /** Whether all that it starts waits for an owner or co-owner. False if it starts nothing. */
  requiresApproval: boolean;
  /** `ALL`: everything of its kind, also what is added later. `LISTED`: only what it names. */
  reach: "ALL" | "LISTED";
  accountIds: string[];
  ruleIds: string[];
  /** `MANUAL_TRANSFER`: between which accounts. Of several that match, the highest limit counts. */
  routes: WhoamiRoute[];
  /** How many accounts, rules or routes it names; only the first 100 are listed. */
  count: number;
}

export interface WhoamiRoute {
  /** Null: any account. */
  sourceAccountId: string | null;
  /** Null: any account. */
  destinationAccountId: string | null;
  /** Per transfer; null: no limit. */
  maximumAmountInCents: number | null;
}

/** A rule in the version just written. */
export interface WrittenRule {
  id: string;
  name: string;
  description: string | null;
  /** `INACTIVE` also while it is paused: a person resumes it at `activationUrl`. */
  status: "ACTIVE" | "INACTIVE";
  /** The latest version. */
  version: number;
  /** The one that runs live; null without one. */
  activeVersion: number | null;
  /** The name of `activeVersion`, which may differ from `name`, that of `version`. */
  activeName: string | null;
  /** Where a person activates the latest version, or resumes a paused rule; null when there is nothing to do. */
  activationUrl: string | null;
  trigger: RuleTrigger;
  limits: RuleLimit[];
  createdAt: string;
  updatedAt: string;
  deletedAt: string | null;
  /** Another rule that you may read whose name looks the same as this one's, or as one that waits: say its id to a person as well. Null: there is none. */
  lookAlike: LookAlike | null;
  steps: RuleStep[];
  activation: RuleActivation;
}

export interface ListAccountsInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** Only these types; repeat it or separate with commas. Without it, all. */
  type?: AccountTypeInput | AccountTypeInput[];
  /** `ACTIVE` leaves out closed accounts. */
  state?: "ALL" | "ACTIVE";
}

export interface GetAccountInput {
  /** The account. */
  id: string;
}

export interface ListBalancesInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
}

export interface ListAccountTransfersInput {
  /** The account. */
  accountId: string;
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** Only transfers that leave it (`source`), or arrive in it (`destination`). */
  accountRole?: "source" | "destination" | "either";
  /** `SIMULATION` lists dry runs instead. */
  executionMode?: ExecutionModeInput;
}

export interface ListBeneficiariesInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
}

export interface ListPayeesInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** Only these states; without it, all. */
  state?: PayeeStateInput | PayeeStateInput[];
  /** Only with this id of the caller's own. */
  externalId?: string;
  /** `key:value`. Only with this pair of metadata. */
  metadata?: string;
}

export interface ListTransfersInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** One or more accounts; repeat it or separate with commas. Needed unless `q`, `externalId` or `metadata` is given. */
  accountId?: string | string[];
  /** `SIMULATION` lists dry runs instead. */
  executionMode?: ExecutionModeInput;
  /** Only transfers with one of these statuses; repeat it or separate with commas. */
  status?: TransferStatusInput | TransferStatusInput[];
  /** Only transfers of this direction. */
  direction?: "MONEY_IN" | "MONEY_OUT" | "INTERNAL";
  /** Only transfers made by this run of a rule. */
  ruleExecutionId?: string;
  /** Only transfers accepted under this mandate. */
  mandateId?: string;
  /** In label, counterparty or account's name. */
  q?: string;
  /** Only of at least this amount. */
  minimumAmountInCents?: number;
  /** Only of at most this amount. */
  maximumAmountInCents?: number;
  /** Only with this id of the caller's own. */
  externalId?: string;
  /** `key:value`. Only with this pair of metadata. */
  metadata?: string;
  /** Also answers count and sums of all that match, over all pages. */
  summary?: boolean;
  /** Earliest, inclusive, not after `to`: a date-time in the years 1970 to 9999 of UTC, or a date, which begins in the organization's time zone. */
  from?: string;
  /** Latest, inclusive: a date-time, or a date, which ends in the organization's time zone. */
  to?: string;
}

export type CancelTransferInput = {
  /** The transfer. */
  id: string;
} & CancelTransferBody;

export interface GetTransferInput {
  /** The transfer. */
  id: string;
  /** Seconds: answers at the next change, after so many at the latest, and at once if the status is final. */
  wait?: number;
}

export type AddTransferDocumentInput = {
  /** The transfer. */
  id: string;
} & AddTransferDocumentBody;

export interface ListTransferDocumentsInput {
  /** The transfer. */
  id: string;
}

export interface GetTransferDocumentInput {
  /** The transfer. */
  id: string;
  /** The document. */
  documentId: string;
}

export interface GetTransferBatchInput {
  /** The batch. */
  id: string;
}

export interface ListProposalsInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** Only proposals with one of these statuses; repeat it or separate with commas. */
  status?: ProposalStatusInput | ProposalStatusInput[];
  /** Only proposals of one of these kinds; repeat it or separate with commas. */
  kind?: ProposalKindInput | ProposalKindInput[];
  /** `true`: only what this key or assistant requested. */
  mine?: boolean;
}

export interface GetProposalInput {
  /** The proposal. */
  id: string;
  /** Seconds: answers at the next change, after so many at the latest, and at once if the status is final. */
  wait?: number;
}

export type ProposeRuleDeactivationInput = {
  /** The rule. */
  id: string;
} & ProposeRuleDeactivationBody;

export interface GetMandatesInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** Only mandates in this state. */
  state?: MandateStateInput;
}

export interface GetMandateInput {
  /** The mandate. */
  id: string;
}

export type CancelMandateInput = {
  /** The mandate. */
  id: string;
} & CancelMandateBody;

export interface ListTransactionsInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** Only these accounts; repeat it or separate with commas. Without it, all readable accounts. */
  accountId?: string | string[];
  /** Only this card. */
  cardId?: string;
  /** In description or merchant's name. */
  q?: string;
  /** Only of this merchant: the whole name, in any case. */
  merchantName?: string;
  /** Only of this category. */
  category?: SpendingCategoryInput;
  /** Only of at least this amount. */
  minimumAmountInCents?: number;
  /** Only of at most this amount. */
  maximumAmountInCents?: number;
  /** Also answers count and sums of all that match, over all pages. */
  summary?: boolean;
  /** Earliest, inclusive, not after `to`: a date-time in the years 1970 to 9999 of UTC, or a date, which begins in the organization's time zone. */
  from?: string;
  /** Latest, inclusive: a date-time, or a date, which ends in the organization's time zone. */
  to?: string;
}

export interface GetCardTransactionInput {
  /** The card transaction. */
  id: string;
}

export interface ListExternalTransactionsInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** Only these accounts; repeat it or separate with commas. Without it, all readable accounts. */
  accountId?: string | string[];
  /** Only money that came in, or went out. */
  direction?: "MONEY_IN" | "MONEY_OUT";
  /** `PENDING`: not settled yet. `COMPLETE`: posted; repeat it or separate with commas. */
  status?: "PENDING" | "COMPLETE" | ("PENDING" | "COMPLETE")[];
  /** In description or merchant's name. */
  q?: string;
  /** Only of this merchant: the whole name, in any case. */
  merchantName?: string;
  /** Only of this category. */
  category?: SpendingCategoryInput;
  /** Only of at least this amount. */
  minimumAmountInCents?: number;
  /** Only of at most this amount. */
  maximumAmountInCents?: number;
  /** Also answers count and sums of all that match, over all pages. */
  summary?: boolean;
  /** Earliest, inclusive, not after `to`: a date-time in the years 1970 to 9999 of UTC, or a date, which begins in the organization's time zone. */
  from?: string;
  /** Latest, inclusive: a date-time, or a date, which ends in the organization's time zone. */
  to?: string;
}

export interface GetExternalTransactionInput {
  /** The external transaction. */
  id: string;
}

export interface ListRulesInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** Only rules that start from, or take money from, this account. */
  sourceAccountId?: string;
  /** Only rules with one of these statuses; repeat it or separate with commas. */
  status?: "ACTIVE" | "INACTIVE" | ("ACTIVE" | "INACTIVE")[];
}

export interface GetRuleInput {
  /** The rule. */
  id: string;
}

export type UpdateRuleInput = {
  /** The rule. */
  id: string;
} & UpdateRuleBody;

export type TriggerRuleInput = {
  /** The rule. */
  id: string;
} & TriggerRuleBody;

export interface ListRuleExecutionsInput {
  /** The rule. */
  ruleId: string;
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** `SIMULATION` lists dry runs instead, `ALL` both. */
  executionMode?: "ALL" | "LIVE" | "SIMULATION";
  /** Only runs with one of these statuses; repeat it or separate with commas. */
  status?: RuleExecutionStatusInput | RuleExecutionStatusInput[];
  /** Earliest, inclusive, not after `to`: a date-time in the years 1970 to 9999 of UTC, or a date, which begins in the organization's time zone. */
  from?: string;
  /** Latest, inclusive: a date-time, or a date, which ends in the organization's time zone. */
  to?: string;
}

export interface ListAllRuleExecutionsInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** `SIMULATION` lists dry runs instead, `ALL` both. */
  executionMode?: "ALL" | "LIVE" | "SIMULATION";
  /** Only runs with one of these statuses; repeat it or separate with commas. */
  status?: RuleExecutionStatusInput | RuleExecutionStatusInput[];
  /** Earliest, inclusive, not after `to`: a date-time in the years 1970 to 9999 of UTC, or a date, which begins in the organization's time zone. */
  from?: string;
  /** Latest, inclusive: a date-time, or a date, which ends in the organization's time zone. */
  to?: string;
}

export type CancelRuleExecutionInput = {
  /** The rule that runs. */
  ruleId: string;
  /** The run. */
  id: string;
} & CancelRuleExecutionBody;

export interface GetRuleExecutionInput {
  /** The rule that ran. */
  ruleId: string;
  /** The run. */
  id: string;
  /** Seconds: answers at the next change, after so many at the latest, and at once if the status is final. */
  wait?: number;
}

export interface ListAuditLogInput {
  /** Which page, from 1. A page beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** Earliest, inclusive, not after `to`: a date-time in the years 1970 to 9999 of UTC, or a date, which begins in the organization's time zone. */
  from?: string;
  /** Latest, inclusive: a date-time, or a date, which ends in the organization's time zone. */
  to?: string;
  /** Only requests with this key, or of this assistant. */
  apiKeyId?: string;
  /** Only requests for this action. */
  action?: "GET_ACCOUNT" | "LIST_ACCOUNTS" | "CREATE_ACCOUNT" | "LIST_BENEFICIARIES" | "LIST_TRANSFERS" | "GET_TRANSFER" | "CREATE_TRANSFER" | "TRIGGER_RULE" | "LIST_RULES" | "GET_RULE" | "LIST_RULE_EXECUTIONS" | "GET_RULE_EXECUTION" | "LIST_AUDIT_LOGS" | "CREATE_RULE" | "UPDATE_RULE" | "GET_FINANCIAL_PROFILE";
  /** `FAILURE`: only refused requests. */
  outcome?: "SUCCESS" | "FAILURE";
  /** Only requests refused with this code. */
  errorCode?: "INVALID_PARAMETERS" | "TRANSFER_SOURCE_NOT_FOUND" | "TRANSFER_DESTINATION_NOT_FOUND" | "IDEMPOTENCY_KEY_MISMATCH" | "INVALID_DOCUMENT" | "UNAUTHORIZED" | "ACCESS_DENIED" | "MAXIMUM_AMOUNT_EXCEEDED" | "REPEATS_DENIAL" | "RULE_DEACTIVATED" | "INVALID_RULE" | "ACCOUNT_NOT_FOUND" | "RULE_NOT_FOUND" | "RULE_EXECUTION_NOT_FOUND" | "TRANSFER_NOT_FOUND" | "PROPOSAL_NOT_FOUND" | "MANDATE_NOT_FOUND" | "DOCUMENT_NOT_FOUND" | "CARD_TRANSACTION_NOT_FOUND" | "EXTERNAL_TRANSACTION_NOT_FOUND" | "TRANSFER_IN_PROGRESS" | "RULE_EXECUTION_IN_PROGRESS" | "RULE_VERSION_CONFLICT" | "TOO_LATE_TO_CANCEL" | "TRANSFER_NOT_WAITING" | "TOO_MANY_DOCUMENTS" | "PAYLOAD_TOO_LARGE" | "RATE_LIMIT_EXCEEDED" | "UNEXPECTED_ERROR";
  /** Only this request. */
  requestId?: string;
}

export interface GetFinancialProfileInput {
  /** Earliest, inclusive, not after `to`: a date-time in the years 1970 to 9999 of UTC, or a date, which begins in the organization's time zone. */
  from?: string;
  /** Latest, inclusive: a date-time, or a date, which ends in the organization's time zone. */
  to?: string;
}

const OPERATIONS = {
  whoami: {"name":"whoami","method":"GET","path":"/whoami","pathFields":[],"isIdempotent":false},
  getApprovalPolicy: {"name":"getApprovalPolicy","method":"GET","path":"/approval-policy","pathFields":[],"isIdempotent":false},
  listAccounts: {"name":"listAccounts","method":"GET","path":"/accounts","pathFields":[],"isIdempotent":false},
  createAccount: {"name":"createAccount","method":"POST","path":"/accounts","pathFields":[],"isIdempotent":true},
  getAccount: {"name":"getAccount","method":"GET","path":"/accounts/{id}","pathFields":["id"],"isIdempotent":false},
  listBalances: {"name":"listBalances","method":"GET","path":"/balances","pathFields":[],"isIdempotent":false},
  listAccountTransfers: {"name":"listAccountTransfers","method":"GET","path":"/accounts/{accountId}/transfers","pathFields":["accountId"],"isIdempotent":false},
  listBeneficiaries: {"name":"listBeneficiaries","method":"GET","path":"/beneficiaries","pathFields":[],"isIdempotent":false},
  listPayees: {"name":"listPayees","method":"GET","path":"/payees","pathFields":[],"isIdempotent":false},
  proposePayee: {"name":"proposePayee","method":"POST","path":"/payees","pathFields":[],"isIdempotent":true},
  createTransfer: {"name":"createTransfer","method":"POST","path":"/transfers","pathFields":[],"isIdempotent":true},
  listTransfers: {"name":"listTransfers","method":"GET","path":"/transfers","pathFields":[],"isIdempotent":false},
  cancelTransfer: {"name":"cancelTransfer","method":"POST","path":"/transfers/{id}/cancel","pathFields":["id"],"isIdempotent":false},
  getTransfer: {"name":"getTransfer","method":"GET","path":"/transfers/{id}","pathFields":["id"],"isIdempotent":false},
  addTransferDocument: {"name":"addTransferDocument","method":"POST","path":"/transfers/{id}/documents","pathFields":["id"],"isIdempotent":false},
  listTransferDocuments: {"name":"listTransferDocuments","method":"GET","path":"/transfers/{id}/documents","pathFields":["id"],"isIdempotent":false},
  getTransferDocument: {"name":"getTransferDocument","method":"GET","path":"/transfers/{id}/documents/{documentId}","pathFields":["id","documentId"],"isIdempotent":false},
  createTransferBatch: {"name":"createTransferBatch","method":"POST","path":"/transfers/batch","pathFields":[],"isIdempotent":true},
  getTransferBatch: {"name":"getTransferBatch","method":"GET","path":"/transfer-batches/{id}","pathFields":["id"],"isIdempotent":false},
  listProposals: {"name":"listProposals","method":"GET","path":"/proposals","pathFields":[],"isIdempotent":false},
  getProposal: {"name":"getProposal","method":"GET","path":"/proposals/{id}","pathFields":["id"],"isIdempotent":false},
  proposeRuleDeactivation: {"name":"proposeRuleDeactivation","method":"POST","path":"/rules/{id}/deactivation-proposals","pathFields":["id"],"isIdempotent":true},
  getMandates: {"name":"getMandates","method":"GET","path":"/mandates","pathFields":[],"isIdempotent":false},
  proposeMandate: {"name":"proposeMandate","method":"POST","path":"/mandates","pathFields":[],"isIdempotent":true},
  getMandate: {"name":"getMandate","method":"GET","path":"/mandates/{id}","pathFields":["id"],"isIdempotent":false},
  cancelMandate: {"name":"cancelMandate","method":"POST","path":"/mandates/{id}/cancel","pathFields":["id"],"isIdempotent":false},
  listTransactions: {"name":"listTransactions","method":"GET","path":"/card-transactions","pathFields":[],"isIdempotent":false},
  getCardTransaction: {"name":"getCardTransaction","method":"GET","path":"/card-transactions/{id}","pathFields":["id"],"isIdempotent":false},
  listExternalTransactions: {"name":"listExternalTransactions","method":"GET","path":"/external-transactions","pathFields":[],"isIdempotent":false},
  getExternalTransaction: {"name":"getExternalTransaction","method":"GET","path":"/external-transactions/{id}","pathFields":["id"],"isIdempotent":false},
  listRules: {"name":"listRules","method":"GET","path":"/rules","pathFields":[],"isIdempotent":false},
  createRule: {"name":"createRule","method":"POST","path":"/rules","pathFields":[],"isIdempotent":true},
  getRule: {"name":"getRule","method":"GET","path":"/rules/{id}","pathFields":["id"],"isIdempotent":false},
  updateRule: {"name":"updateRule","method":"PUT","path":"/rules/{id}","pathFields":["id"],"isIdempotent":true},
  triggerRule: {"name":"triggerRule","method":"POST","path":"/rules/{id}/trigger","pathFields":["id"],"isIdempotent":true},
  listRuleExecutions: {"name":"listRuleExecutions","method":"GET","path":"/rules/{ruleId}/executions","pathFields":["ruleId"],"isIdempotent":false},
  listAllRuleExecutions: {"name":"listAllRuleExecutions","method":"GET","path":"/rule-executions","pathFields":[],"isIdempotent":false},
  cancelRuleExecution: {"name":"cancelRuleExecution","method":"POST","path":"/rules/{ruleId}/executions/{id}/cancel","pathFields":["ruleId","id"],"isIdempotent":false},
  getRuleExecution: {"name":"getRuleExecution","method":"GET","path":"/rules/{ruleId}/executions/{id}","pathFields":["ruleId","id"],"isIdempotent":false},
  listAuditLog: {"name":"listAuditLog","method":"GET","path":"/audit-logs","pathFields":[],"isIdempotent":false},
  moveSandboxClock: {"name":"moveSandboxClock","method":"POST","path":"/sandbox/clock","pathFields":[],"isIdempotent":false},
  makeSandboxDeposit: {"name":"makeSandboxDeposit","method":"POST","path":"/sandbox/deposits","pathFields":[],"isIdempotent":false},
  makeSandboxPurchase: {"name":"makeSandboxPurchase","method":"POST","path":"/sandbox/card-purchases","pathFields":[],"isIdempotent":false},
  makeSandboxOutsideTransaction: {"name":"makeSandboxOutsideTransaction","method":"POST","path":"/sandbox/outside-transactions","pathFields":[],"isIdempotent":false},
  makeSandboxReturn: {"name":"makeSandboxReturn","method":"POST","path":"/sandbox/returns","pathFields":[],"isIdempotent":false},
  decideInSandbox: {"name":"decideInSandbox","method":"POST","path":"/sandbox/decisions","pathFields":[],"isIdempotent":false},
  getFinancialProfile: {"name":"getFinancialProfile","method":"GET","path":"/financial-profile","pathFields":[],"isIdempotent":false},
} satisfies Record<string, OperationShape>;

/** A method for each operation of the API. */
export abstract class Operations {
  protected abstract send<Data>(operation: OperationShape, input: object, options: CallOptions): Promise<Answer<Data>>;

  /**
   * Read who you are and what you may do.
   *
   * The organization, this key or assistant, its permissions with their accounts, rules and routes, and what limits it now: caps with what is left of them, waiting proposals, the rate limit, the gates, and whether money is real. Needs no permission.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, UNEXPECTED_ERROR
   */
  whoami(input: object = {}, options: CallOptions = {}): Promise<Answer<Whoami>> {
    return this.send<Whoami>(OPERATIONS.whoami, input, options);
  }

  /**
   * Read who must approve what.
   *
   * The policy in force: the first rule that matches a proposal decides. Without the people, accounts and keys that it names. Needs no permission; people change it in the dashboard.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, UNEXPECTED_ERROR
   */
  getApprovalPolicy(input: object = {}, options: CallOptions = {}): Promise<Answer<GetApprovalPolicyData>> {
    return this.send<GetApprovalPolicyData>(OPERATIONS.getApprovalPolicy, input, options);
  }

  /**
   * List all accounts.
   *
   * Every account of the organization, oldest first, whatever the key's list says. Summaries carry no balances and no numbers: read one account for those.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, UNEXPECTED_ERROR
   */
  listAccounts(input: ListAccountsInput = {}, options: CallOptions = {}): Promise<Answer<ListAccountsData>> {
    return this.send<ListAccountsData>(OPERATIONS.listAccounts, input, options);
  }

  /**
   * Open a pod or an income source.
   *
   * Opens a managed account with a zero balance. A pod has no account number of its own. An income source, where outside money enters, gets its institution and numbers from the bank a moment later: read the account again for them. With an `idempotency-key`, a second request that arrives while the first is running waits for it and gets its answer.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, IDEMPOTENCY_KEY_MISMATCH, UNEXPECTED_ERROR
   */
  createAccount(input: CreateAccountBody, options: CallOptions = {}): Promise<Answer<Account>> {
    return this.send<Account>(OPERATIONS.createAccount, input, options);
  }

  /**
   * Read one account with its balance.
   *
   * One account with its balance. Routing and account numbers are always masked to their last four digits. The balance of a connected account is the provider's, as of `balanceLastUpdatedAt`; it refreshes about once per banking day, so read it at most every six hours.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, ACCOUNT_NOT_FOUND, UNEXPECTED_ERROR
   */
  getAccount(input: GetAccountInput, options: CallOptions = {}): Promise<Answer<Account>> {
    return this.send<Account>(OPERATIONS.getAccount, input, options);
  }

  /**
   * Read all balances at once.
   *
   * Every account that the key may read with its balance and what is on its way, oldest first, and the sums of managed money. Closed accounts are listed while they hold money. Balances of connected accounts are the provider's, as in `GET /accounts/{id}`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, UNEXPECTED_ERROR
   */
  listBalances(input: ListBalancesInput = {}, options: CallOptions = {}): Promise<Answer<ListBalancesData>> {
    return this.send<ListBalancesData>(OPERATIONS.listBalances, input, options);
  }

  /**
   * List the transfers of one account.
   *
   * Transfers in or out of the account, newest first. With `accountRole`, only those that leave it (`source`) or arrive in it (`destination`). Dry runs are listed with `executionMode=SIMULATION`. Read it at most hourly.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, ACCOUNT_NOT_FOUND, UNEXPECTED_ERROR
   */
  listAccountTransfers(input: ListAccountTransfersInput, options: CallOptions = {}): Promise<Answer<ListAccountTransfersData>> {
    return this.send<ListAccountTransfersData>(OPERATIONS.listAccountTransfers, input, options);
  }

  /**
   * List who may own an account.
   *
   * The people and businesses that can own accounts of this organization, oldest first. Pass an `id` as `beneficiaryId` when you create an account. Needs no permission.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, UNEXPECTED_ERROR
   */
  listBeneficiaries(input: ListBeneficiariesInput = {}, options: CallOptions = {}): Promise<Answer<ListBeneficiariesData>> {
    return this.send<ListBeneficiariesData>(OPERATIONS.listBeneficiaries, input, options);
  }

  /**
   * List payees.
   *
   * Accounts of others that money can be sent to, oldest first, without numbers. Once `ACTIVE`, its `id` is a transfer's `destinationAccountId`. Until `coolsOffUntil`, larger transfers wait before they leave.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, UNEXPECTED_ERROR
   */
  listPayees(input: ListPayeesInput = {}, options: CallOptions = {}): Promise<Answer<ListPayeesData>> {
    return this.send<ListPayeesData>(OPERATIONS.listPayees, input, options);
  }

  /**
   * Propose a payee.
   *
   * Proposes someone to pay: a name, never an account number. An owner or co-owner enters and confirms its account; no program can make it `ACTIVE`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, IDEMPOTENCY_KEY_MISMATCH, UNEXPECTED_ERROR
   */
  proposePayee(input: ProposePayeeBody, options: CallOptions = {}): Promise<Answer<Payee>> {
    return this.send<Payee>(OPERATIONS.proposePayee, input, options);
  }

  /**
   * Make a transfer.
   *
   * Moves money between two accounts, at least one of them managed by Sluice. The work is queued: poll `GET /transfers/{id}` until its status is final. If the key requires approval, nothing moves until an owner or co-owner approves, and the answer carries the address where they do. With `simulation: true` it is a dry run: recorded as `COMPLETE` at once, and nothing moves; `errorCode` and `errorMessage` say how the live transfer would fail as things are now, and are null if it would complete.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, TRANSFER_SOURCE_NOT_FOUND, TRANSFER_DESTINATION_NOT_FOUND, IDEMPOTENCY_KEY_MISMATCH, MAXIMUM_AMOUNT_EXCEEDED, REPEATS_DENIAL, TRANSFER_IN_PROGRESS, UNEXPECTED_ERROR
   */
  createTransfer(input: CreateTransferBody, options: CallOptions = {}): Promise<Answer<Transfer>> {
    return this.send<Transfer>(OPERATIONS.createTransfer, input, options);
  }

  /**
   * List transfers.
   *
   * Transfers in or out of the given accounts, newest first. Name at least one account, or search by `q`, `externalId` or `metadata`. Dry runs are listed with `executionMode=SIMULATION`. Read it at most hourly.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, ACCOUNT_NOT_FOUND, UNEXPECTED_ERROR
   */
  listTransfers(input: ListTransfersInput = {}, options: CallOptions = {}): Promise<Answer<ListTransfersData>> {
    return this.send<ListTransfersData>(OPERATIONS.listTransfers, input, options);
  }

  /**
   * Cancel a transfer of your own.
   *
   * Takes back a transfer that the key requested itself: one that waits becomes `APPROVAL_DENIED`, one that is accepted and has not left becomes `CANCELLED`. Nothing moves. A line of a batch that waits takes the whole batch back. Repeating it answers the same. Once the bank has it, or it ended otherwise, it is refused with `TOO_LATE_TO_CANCEL`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, TRANSFER_NOT_FOUND, TOO_LATE_TO_CANCEL, UNEXPECTED_ERROR
   */
  cancelTransfer(input: CancelTransferInput, options: CallOptions = {}): Promise<Answer<Transfer>> {
    return this.send<Transfer>(OPERATIONS.cancelTransfer, input, options);
  }

  /**
   * Read one transfer.
   *
   * A transfer with its current status. A key may read it when it may read the transfers of its source or its destination, and one that it proposed itself without that.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, TRANSFER_NOT_FOUND, UNEXPECTED_ERROR
   */
  getTransfer(input: GetTransferInput, options: CallOptions = {}): Promise<Answer<Transfer>> {
    return this.send<Transfer>(OPERATIONS.getTransfer, input, options);
  }

  /**
   * Add a document to a proposal.
   *
   * Attaches an invoice or the like to a transfer that the key requested itself and that waits for approval: a PDF, JPEG or PNG of at most 5 MB, three at most. The approver sees it beside the reason, as unchecked, and its hash is part of what they approve. It is kept with the transfer and can be neither removed nor replaced; the same content again answers the document that is there. Its type is what its bytes show, and the name must end accordingly.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, TRANSFER_NOT_FOUND, INVALID_DOCUMENT, TRANSFER_NOT_WAITING, TOO_MANY_DOCUMENTS, UNEXPECTED_ERROR
   */
  addTransferDocument(input: AddTransferDocumentInput, options: CallOptions = {}): Promise<Answer<Document>> {
    return this.send<Document>(OPERATIONS.addTransferDocument, input, options);
  }

  /**
   * List a transfer's documents.
   *
   * What was attached to a transfer while it waited, in the order in which it was added, without the content. For keys that may read the transfer.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, TRANSFER_NOT_FOUND, UNEXPECTED_ERROR
   */
  listTransferDocuments(input: ListTransferDocumentsInput, options: CallOptions = {}): Promise<Answer<ListTransferDocumentsData>> {
    return this.send<ListTransferDocumentsData>(OPERATIONS.listTransferDocuments, input, options);
  }

  /**
   * Read one document.
   *
   * One document of a transfer with its content in Base64: up to 7 MB. A stranger may have written what it says. For keys that may read the transfer.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, TRANSFER_NOT_FOUND, DOCUMENT_NOT_FOUND, UNEXPECTED_ERROR
   */
  getTransferDocument(input: GetTransferDocumentInput, options: CallOptions = {}): Promise<Answer<GetTransferDocumentData>> {
    return this.send<GetTransferDocumentData>(OPERATIONS.getTransferDocument, input, options);
  }

  /**
   * Propose transfers together.
   *
   * Proposes 1 to 100 transfers under one approval, all or none. It always waits for an owner or co-owner, also for a key that moves money without approval. They may strike out lines, which are denied; what they sign is accepted together or not at all, and nothing is decided if one of the lines cannot be accepted. A line that fails at the bank later fails alone. Under a policy they need the signatures that it asks for the lines together and for each by itself. Each line is a transfer of its own, with its status, events and checks; while it waits, canceling one takes the whole batch back. A problem names its line, as in `transfers.3.amountInCents`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, TRANSFER_SOURCE_NOT_FOUND, TRANSFER_DESTINATION_NOT_FOUND, IDEMPOTENCY_KEY_MISMATCH, MAXIMUM_AMOUNT_EXCEEDED, REPEATS_DENIAL, UNEXPECTED_ERROR
   */
  createTransferBatch(input: CreateTransferBatchBody, options: CallOptions = {}): Promise<Answer<TransferBatch>> {
    return this.send<TransferBatch>(OPERATIONS.createTransferBatch, input, options);
  }

  /**
   * Read a batch.
   *
   * A batch with the status of each line. A key may read one that it proposed itself, and any other if it may read every transfer in it.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, TRANSFER_NOT_FOUND, UNEXPECTED_ERROR
   */
  getTransferBatch(input: GetTransferBatchInput, options: CallOptions = {}): Promise<Answer<TransferBatch>> {
    return this.send<TransferBatch>(OPERATIONS.getTransferBatch, input, options);
  }

  /**
   * List proposals.
   *
   * What programs and members asked a person to decide, newest first: transfers, runs, versions and deactivations of rules, payees. A key sees its own; those of others as far as it may read transfers (`READ_TRANSFERS`), rules (`READ_RULES`) and payees (`READ_ACCOUNTS`). The first 20 that wait come with their checks.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, UNEXPECTED_ERROR
   */
  listProposals(input: ListProposalsInput = {}, options: CallOptions = {}): Promise<Answer<ListProposalsData>> {
    return this.send<ListProposalsData>(OPERATIONS.listProposals, input, options);
  }

  /**
   * Read one proposal.
   *
   * A proposal with its checks and its decision. The proposal of a transfer, a run or a payee has that one's id. One that the key may not read is answered as if there were none.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PROPOSAL_NOT_FOUND, UNEXPECTED_ERROR
   */
  getProposal(input: GetProposalInput, options: CallOptions = {}): Promise<Answer<Proposal>> {
    return this.send<Proposal>(OPERATIONS.getProposal, input, options);
  }

  /**
   * Propose to deactivate a rule.
   *
   * Asks a person to stop an active rule. It keeps running until an owner or co-owner deactivates it at `approvalUrl`; without a decision within 24 hours the proposal ends. While an earlier one of this key waits, the answer is that one. A rule that is not active answers `RULE_DEACTIVATED`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, RULE_NOT_FOUND, RULE_DEACTIVATED, INVALID_RULE, IDEMPOTENCY_KEY_MISMATCH, UNEXPECTED_ERROR
   */
  proposeRuleDeactivation(input: ProposeRuleDeactivationInput, options: CallOptions = {}): Promise<Answer<Proposal>> {
    return this.send<Proposal>(OPERATIONS.proposeRuleDeactivation, input, options);
  }

  /**
   * List your mandates.
   *
   * What people let this key do without asking, and what it asked for, newest first: the limits, what is used and what is left of each. A transfer inside one that is `IN_FORCE` is accepted at once, and its `mandateId` says under which; any other waits for a person as before, with a check that says which part it broke. A key sees its own alone. Not for assistants, whose transfers always wait.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, UNEXPECTED_ERROR
   */
  getMandates(input: GetMandatesInput = {}, options: CallOptions = {}): Promise<Answer<GetMandatesData>> {
    return this.send<GetMandatesData>(OPERATIONS.getMandates, input, options);
  }

  /**
   * Propose a mandate.
   *
   * Asks people to let this key make some transfers without asking: between these accounts, within these amounts, until a day. Nothing changes until those who must approve such transfers sign it at `approvalUrl`; they may narrow it first, never widen it. It can cover no more than the key's own `MANUAL_TRANSFER` permission: its routes, and an amount up to the limit of each. Not for a key whose transfers need no approval, nor for assistants, whose transfers always wait.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, TRANSFER_SOURCE_NOT_FOUND, TRANSFER_DESTINATION_NOT_FOUND, IDEMPOTENCY_KEY_MISMATCH, MAXIMUM_AMOUNT_EXCEEDED, UNEXPECTED_ERROR
   */
  proposeMandate(input: ProposeMandateBody, options: CallOptions = {}): Promise<Answer<Mandate>> {
    return this.send<Mandate>(OPERATIONS.proposeMandate, input, options);
  }

  /**
   * Read one mandate.
   *
   * A mandate of this key with what is left of it now. Another key's is answered as if there were none. Not for assistants.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, MANDATE_NOT_FOUND, UNEXPECTED_ERROR
   */
  getMandate(input: GetMandateInput, options: CallOptions = {}): Promise<Answer<Mandate>> {
    return this.send<Mandate>(OPERATIONS.getMandate, input, options);
  }

  /**
   * Withdraw or end a mandate.
   *
   * Withdraws a mandate of this key while it waits, and ends one that is in force: later transfers wait for a person again, and one that is on its way finishes. Repeating it, and a mandate that has ended otherwise, answers the mandate as it is. Not for assistants.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, MANDATE_NOT_FOUND, UNEXPECTED_ERROR
   */
  cancelMandate(input: CancelMandateInput, options: CallOptions = {}): Promise<Answer<Mandate>> {
    return this.send<Mandate>(OPERATIONS.cancelMandate, input, options);
  }

  /**
   * List card transactions.
   *
   * Settled purchases, refunds and payouts on issued cards, newest first. Pending authorizations and declines are not listed. Without `accountId`, covers all accounts that the key may read; an unknown `cardId` gives an empty list. `from` and `to` filter by `createdAt`, when it was recorded.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, ACCOUNT_NOT_FOUND, UNEXPECTED_ERROR
   */
  listTransactions(input: ListTransactionsInput = {}, options: CallOptions = {}): Promise<Answer<ListTransactionsData>> {
    return this.send<ListTransactionsData>(OPERATIONS.listTransactions, input, options);
  }

  /**
   * Read one card transaction.
   *
   * A settled purchase, refund or payout. A key may read it when it may read the transfers of its account.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, CARD_TRANSACTION_NOT_FOUND, UNEXPECTED_ERROR
   */
  getCardTransaction(input: GetCardTransactionInput, options: CallOptions = {}): Promise<Answer<CardTransaction>> {
    return this.send<CardTransaction>(OPERATIONS.getCardTransaction, input, options);
  }

  /**
   * List external transactions.
   *
   * Movements on connected accounts, which Sluice sees but does not make, newest first by `transactionDate`; without `accountId`, those of every account that the key may read. `window` gives the range shown: at most the last 90 days. They are read from the institutions about once a day; merchant and category may follow later. The other side of your own transfers appears here too.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, ACCOUNT_NOT_FOUND, UNEXPECTED_ERROR
   */
  listExternalTransactions(input: ListExternalTransactionsInput = {}, options: CallOptions = {}): Promise<Answer<ListExternalTransactionsData>> {
    return this.send<ListExternalTransactionsData>(OPERATIONS.listExternalTransactions, input, options);
  }

  /**
   * Read one external transaction.
   *
   * A movement on a connected account with its current status, however old it is. A pending transaction keeps its id when it is posted; one that the institution withdraws can no longer be read.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, EXTERNAL_TRANSACTION_NOT_FOUND, UNEXPECTED_ERROR
   */
  getExternalTransaction(input: GetExternalTransactionInput, options: CallOptions = {}): Promise<Answer<ExternalTransaction>> {
    return this.send<ExternalTransaction>(OPERATIONS.getExternalTransaction, input, options);
  }

  /**
   * List rules.
   *
   * The rules that the key may read, newest first, as summaries without their steps. `sourceAccountId` keeps only rules that start from, or take money from, that account.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, UNEXPECTED_ERROR
   */
  listRules(input: ListRulesInput = {}, options: CallOptions = {}): Promise<Answer<ListRulesData>> {
    return this.send<ListRulesData>(OPERATIONS.listRules, input, options);
  }

  /**
   * Create a rule.
   *
   * Writes a rule: a trigger, and steps with conditions and actions. It is always inactive until a person activates it at `activationUrl`. `activation` says whether they could, and what prevents it. Needs `CREATE_AND_EDIT_RULES` for all rules.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, IDEMPOTENCY_KEY_MISMATCH, UNEXPECTED_ERROR
   */
  createRule(input: CreateRuleBody, options: CallOptions = {}): Promise<Answer<WrittenRule>> {
    return this.send<WrittenRule>(OPERATIONS.createRule, input, options);
  }

  /**
   * Read one rule.
   *
   * A rule in its latest version, with steps, conditions and actions. A deleted rule, or one that this version cannot represent, answers 403 `INVALID_RULE`: treat it as something that exists and can only be listed.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, RULE_NOT_FOUND, INVALID_RULE, UNEXPECTED_ERROR
   */
  getRule(input: GetRuleInput, options: CallOptions = {}): Promise<Answer<Rule>> {
    return this.send<Rule>(OPERATIONS.getRule, input, options);
  }

  /**
   * Change a rule.
   *
   * Replaces the whole definition with a new version, inactive until a person activates it; an active version keeps running until then. `activation` says whether a person could activate it, and what prevents it. Send `expectedVersion` to get 409 when someone else has edited it since.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, RULE_NOT_FOUND, INVALID_RULE, RULE_VERSION_CONFLICT, IDEMPOTENCY_KEY_MISMATCH, UNEXPECTED_ERROR
   */
  updateRule(input: UpdateRuleInput, options: CallOptions = {}): Promise<Answer<WrittenRule>> {
    return this.send<WrittenRule>(OPERATIONS.updateRule, input, options);
  }

  /**
   * Run a rule.
   *
   * Starts a rule on demand, whatever its trigger. The work is queued: poll `GET /rules/{ruleId}/executions/{id}` with exponential backoff. A missing body is the same as `{}`. With `simulation: true` it is a dry run, which moves nothing, asks nobody, is allowed on an inactive rule, and answers with its outcome at once. A dry run uses the active version, otherwise the latest, or the one that `version` names; `simulatedIncomingFunds` alone shows what happens when that much arrives. `ruleVersion` and `base` in the answer name the version and the base used. A live run of a rule that is inactive, or paused after a return, answers `RULE_DEACTIVATED`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, RULE_NOT_FOUND, RULE_DEACTIVATED, REPEATS_DENIAL, INVALID_RULE, IDEMPOTENCY_KEY_MISMATCH, RULE_EXECUTION_IN_PROGRESS, UNEXPECTED_ERROR
   */
  triggerRule(input: TriggerRuleInput, options: CallOptions = {}): Promise<Answer<TriggeredExecution>> {
    return this.send<TriggeredExecution>(OPERATIONS.triggerRule, input, options);
  }

  /**
   * List runs of a rule.
   *
   * The runs of one rule, newest first. Without `executionMode`, live runs only.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, RULE_NOT_FOUND, UNEXPECTED_ERROR
   */
  listRuleExecutions(input: ListRuleExecutionsInput, options: CallOptions = {}): Promise<Answer<ListRuleExecutionsData>> {
    return this.send<ListRuleExecutionsData>(OPERATIONS.listRuleExecutions, input, options);
  }

  /**
   * List runs of all rules.
   *
   * The runs of every rule that the key may read, newest first. `reason` says why a run failed, or what it skipped and why. Without `executionMode`, live runs only.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, UNEXPECTED_ERROR
   */
  listAllRuleExecutions(input: ListAllRuleExecutionsInput = {}, options: CallOptions = {}): Promise<Answer<ListAllRuleExecutionsData>> {
    return this.send<ListAllRuleExecutionsData>(OPERATIONS.listAllRuleExecutions, input, options);
  }

  /**
   * Cancel a run of your own.
   *
   * Takes back a run that the key started itself: one that waits becomes `APPROVAL_DENIED`; of one that is accepted, the transfers that have not left become `CANCELLED`. What has left stays, and the run is then `PARTIAL`. Repeating it answers the same. If nothing is left to cancel, it is refused with `TOO_LATE_TO_CANCEL`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, RULE_NOT_FOUND, RULE_EXECUTION_NOT_FOUND, TOO_LATE_TO_CANCEL, UNEXPECTED_ERROR
   */
  cancelRuleExecution(input: CancelRuleExecutionInput, options: CallOptions = {}): Promise<Answer<RuleExecution>> {
    return this.send<RuleExecution>(OPERATIONS.cancelRuleExecution, input, options);
  }

  /**
   * Read one run of a rule.
   *
   * A run with its status and its transfers. Skipped transfers, whose computed amount was too small to move, are `transfersAttempted` minus the completed, failed and pending ones. A key reads the runs that it started itself without `READ_RULES`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, RULE_NOT_FOUND, RULE_EXECUTION_NOT_FOUND, UNEXPECTED_ERROR
   */
  getRuleExecution(input: GetRuleExecutionInput, options: CallOptions = {}): Promise<Answer<RuleExecution>> {
    return this.send<RuleExecution>(OPERATIONS.getRuleExecution, input, options);
  }

  /**
   * List the audit log.
   *
   * Every authenticated request of the organization's keys, refused ones included, newest first. The log reaches 90 days back: `window` gives the range shown, and `truncated` tells whether an older `from` was moved up.
   *
   * Every request adds an entry, including this one. Send a fixed `to` while you page, so that entries do not shift between pages.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, UNEXPECTED_ERROR
   */
  listAuditLog(input: ListAuditLogInput = {}, options: CallOptions = {}): Promise<Answer<ListAuditLogData>> {
    return this.send<ListAuditLogData>(OPERATIONS.listAuditLog, input, options);
  }

  /**
   * Move the clock of the sandbox.
   *
   * Moves the organization's business time forward, never back. It stops at each moment at which something falls due (a settlement, a schedule, an expiry) and carries that out first. Only where no provider is real, with `CONTROL_SANDBOX`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, UNEXPECTED_ERROR
   */
  moveSandboxClock(input: MoveSandboxClockBody, options: CallOptions = {}): Promise<Answer<SandboxResult>> {
    return this.send<SandboxResult>(OPERATIONS.moveSandboxClock, input, options);
  }

  /**
   * Simulate a deposit.
   *
   * Simulates an outside payment to a managed account: at once, or as a check that clears on the next banking day. Rules that act on arrivals start as usual. Only where no provider is real, with `CONTROL_SANDBOX`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, ACCOUNT_NOT_FOUND, UNEXPECTED_ERROR
   */
  makeSandboxDeposit(input: MakeSandboxDepositBody, options: CallOptions = {}): Promise<Answer<SandboxResult>> {
    return this.send<SandboxResult>(OPERATIONS.makeSandboxDeposit, input, options);
  }

  /**
   * Simulate a card purchase.
   *
   * Simulates a purchase with an issued card: authorized or declined now, settled later as the cents of the amount determine. `outcome` is the card's answer. Only where no provider is real, with `CONTROL_SANDBOX`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, ACCOUNT_NOT_FOUND, UNEXPECTED_ERROR
   */
  makeSandboxPurchase(input: MakeSandboxPurchaseBody, options: CallOptions = {}): Promise<Answer<SandboxResult>> {
    return this.send<SandboxResult>(OPERATIONS.makeSandboxPurchase, input, options);
  }

  /**
   * Simulate an outside transaction.
   *
   * Simulates a movement on a connected account, and refreshes its connection, so that it is listed with the external transactions. Only where no provider is real, with `CONTROL_SANDBOX`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, ACCOUNT_NOT_FOUND, UNEXPECTED_ERROR
   */
  makeSandboxOutsideTransaction(input: MakeSandboxOutsideTransactionBody, options: CallOptions = {}): Promise<Answer<SandboxResult>> {
    return this.send<SandboxResult>(OPERATIONS.makeSandboxOutsideTransaction, input, options);
  }

  /**
   * Simulate a return.
   *
   * Simulates that the bank returns a transfer before it settles, a settled one, or a deposit, with a NACHA code. Only where no provider is real, with `CONTROL_SANDBOX`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, TRANSFER_NOT_FOUND, UNEXPECTED_ERROR
   */
  makeSandboxReturn(input: MakeSandboxReturnBody, options: CallOptions = {}): Promise<Answer<SandboxResult>> {
    return this.send<SandboxResult>(OPERATIONS.makeSandboxReturn, input, options);
  }

  /**
   * Decide as a test person.
   *
   * Approves or denies a transfer or a run that waits, as a test person. The decision, its page and the audit log say for ever that a program decided it: `decision.byTestPerson`. Only where no provider is real, with `CONTROL_SANDBOX`.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, UNEXPECTED_ERROR
   */
  decideInSandbox(input: DecideInSandboxBody, options: CallOptions = {}): Promise<Answer<SandboxResult>> {
    return this.send<SandboxResult>(OPERATIONS.decideInSandbox, input, options);
  }

  /**
   * Read the financial profile.
   *
   * Income, recurring bills, fees, savings, cash flow and spending by category over a window: the last 90 days unless `from` and `to` say otherwise, at most two years. Sums only, never single transactions. Without `from` and `to`, the profile of a large organization may be up to 75 minutes old: see `generatedAt` and the end of `window`. With either, it is computed on request. `coverage` says what the figures are based on.
   *
   * Transfers between own accounts and card payments count as neither income nor spending, and refunds reduce their category. The permission must cover all accounts: the figures cannot be split by account.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, UNEXPECTED_ERROR
   */
  getFinancialProfile(input: GetFinancialProfileInput = {}, options: CallOptions = {}): Promise<Answer<GetFinancialProfileData>> {
    return this.send<GetFinancialProfileData>(OPERATIONS.getFinancialProfile, input, options);
  }
}
