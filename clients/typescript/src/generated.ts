// Generated from the OpenAPI document by `npm run client:generate`; a test compares. Change the operation table instead.

import type { Answer, CallOptions, OperationShape } from "./call.js";

/** An account with its balance and masked numbers. */
export interface Account {
  id: string;
  name: string;
  type: AccountType;
  /** The label that a member gave it. */
  description: string | null;
  /** Null for `POD` and `INCOME_SOURCE`. */
  externalAccountType: "DEPOSITORY" | "INVESTMENT" | "LIABILITY" | null;
  /** Whose money it is. */
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
  /** Null when it is not available. */
  balance: Balance | null;
  /** Pods with a savings goal only. */
  savingsTargetInCents: number | null;
  /** The liability account that a member linked to this pod by hand. */
  linkedAccount: LinkedAccount | null;
}

/** One party of a movement. */
export interface AccountReference {
  /** Null for somebody outside the organization. */
  id: string | null;
  name: string;
  /** An account's type, or `EXTERNAL_ENTITY` for somebody outside the organization. */
  type: "POD" | "INCOME_SOURCE" | "EXTERNAL_ACCOUNT" | "EXTERNAL_ENTITY";
  /** Whether the account has been closed since. */
  isDeleted: boolean;
}

/** An account without balances and numbers. */
export interface AccountSummary {
  id: string;
  name: string;
  type: AccountType;
  /** The label that a member gave it. */
  description: string | null;
  /** Null for `POD` and `INCOME_SOURCE`. */
  externalAccountType: "DEPOSITORY" | "INVESTMENT" | "LIABILITY" | null;
  /** Whose money it is. */
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
  /** The liability account that a member linked to this pod by hand. */
  linkedAccount: LinkedAccountSummary | null;
}

/** `POD`: a managed account for routing and saving. `INCOME_SOURCE`: a special pod where outside funds enter. `EXTERNAL_ACCOUNT`: at another institution, not managed. */
export type AccountType = "POD" | "INCOME_SOURCE" | "EXTERNAL_ACCOUNT";

/** Every field is always present; each may be null. */
export interface Balance {
  /** What it holds; of a `LIABILITY`, what is owed (positive is debt). Null when `error` is set. */
  balanceInCents: number | null;
  /** What can be spent; it differs while movements are pending. */
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
  /** Why the balance could not be had, as a code. */
  error: string | null;
  /** Liabilities only. */
  interestRatePercentage: number | null;
  /** Loans only. */
  originalLoanAmountInCents: number | null;
}

export interface CreateTransferBody {
  /** Where the money comes from. */
  sourceAccountId: string;
  /** Where it goes. At least one of the two is an account that Sluice manages. */
  destinationAccountId: string;
  /** The amount in cents. */
  amountInCents: number;
  /** The ACH label on the recipient's statement: letters, digits and spaces. */
  description?: string;
  /** A dry run. It answers with a finished transfer and moves nothing. */
  simulation?: boolean;
  /** Shown word for word to whoever decides, and returned. */
  reasonForApproval?: string;
}

export interface ErrorAnswer {
  error: {
    code: ErrorCode;
    /** For people: what is wrong, and what would be right. */
    message: string;
    /** Each thing that is wrong with the request, where there are several to name. */
    details?: {
      /** The path of the field, e.g. `amountInCents`. */
      field: string;
      message: string;
    }[];
  };
}

/** Stable and for programs. More may be added. */
export type ErrorCode = "INVALID_PARAMETERS" | "TRANSFER_SOURCE_NOT_FOUND" | "TRANSFER_DESTINATION_NOT_FOUND" | "IDEMPOTENCY_KEY_MISMATCH" | "UNAUTHORIZED" | "ACCESS_DENIED" | "MAXIMUM_AMOUNT_EXCEEDED" | "RULE_DEACTIVATED" | "INVALID_RULE" | "ACCOUNT_NOT_FOUND" | "RULE_NOT_FOUND" | "RULE_EXECUTION_NOT_FOUND" | "TRANSFER_NOT_FOUND" | "CARD_TRANSACTION_NOT_FOUND" | "EXTERNAL_TRANSACTION_NOT_FOUND" | "TRANSFER_IN_PROGRESS" | "RULE_EXECUTION_IN_PROGRESS" | "RULE_VERSION_CONFLICT" | "PAYLOAD_TOO_LARGE" | "RATE_LIMIT_EXCEEDED" | "UNEXPECTED_ERROR";

/** `LIVE`: real money. `SIMULATION`: a dry run. */
export type ExecutionMode = "LIVE" | "SIMULATION";

export interface LinkedAccount {
  id: string;
  name: string;
  type: AccountType;
  /** The label that a member gave it. */
  description: string | null;
  /** Null for `POD` and `INCOME_SOURCE`. */
  externalAccountType: "DEPOSITORY" | "INVESTMENT" | "LIABILITY" | null;
  /** Whose money it is. */
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
  /** Null when it is not available. */
  balance: Balance | null;
  /** Pods with a savings goal only. */
  savingsTargetInCents: number | null;
}

export interface LinkedAccountSummary {
  id: string;
  name: string;
  type: AccountType;
  /** The label that a member gave it. */
  description: string | null;
  /** Null for `POD` and `INCOME_SOURCE`. */
  externalAccountType: "DEPOSITORY" | "INVESTMENT" | "LIABILITY" | null;
  /** Whose money it is. */
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

export interface ListAccountsData {
  items: AccountSummary[];
  pagination: Pagination;
}

export interface ListTransfersData {
  items: Transfer[];
  pagination: Pagination;
}

export interface Pagination {
  /** The page that this is, from 1. */
  page: number;
  /** Items per page. */
  pageSize: number;
  /** Whether there is a further page. */
  hasNextPage: boolean;
}

/** A movement of which a managed account is a party. */
export interface Transfer {
  id: string;
  status: TransferStatus;
  executionMode: ExecutionMode;
  /** Seen from the organization. */
  direction: "MONEY_IN" | "MONEY_OUT" | "INTERNAL";
  /** Who asked for it. */
  origin: "API" | "RULE" | "USER" | "DIRECT_DEPOSIT" | "CHECK_DEPOSIT" | "EXTERNAL_PULL";
  amountInCents: number;
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
  /** What the caller told the approver. */
  reasonForApproval: string | null;
  /** Where it is decided, while it is `APPROVAL_PENDING`; null otherwise. */
  approvalUrl: string | null;
  /** Why it failed or came back: `INSUFFICIENT_FUNDS`, `ACCOUNT_CLOSED`, `ACH_R01` … */
  errorCode: string | null;
  /** The same in words. */
  errorMessage: string | null;
  createdAt: string;
  updatedAt: string;
  /** When it ended, whichever way. */
  completedAt: string | null;
  /** The banking day on which it should settle. */
  expectedCompletionDate: string | null;
}

/** `APPROVAL_PENDING`: waits for an owner or co-owner, and nothing has moved. `APPROVAL_DENIED`: denied, or nobody decided within 24 hours. `PROCESSING`: accepted, on its way. `COMPLETE`: settled. `FAILED`: it did not happen. `CANCELLED`: withdrawn before the bank had it. `RETURNED`: sent back by the bank after it had settled. */
export type TransferStatus = "APPROVAL_PENDING" | "APPROVAL_DENIED" | "PROCESSING" | "COMPLETE" | "FAILED" | "CANCELLED" | "RETURNED";

export interface ListAccountsInput {
  /** Which page, from 1. One beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** Only these types; repeat it or separate with commas. Without it, all. */
  type?: AccountType[];
  /** `ACTIVE` leaves out closed accounts. */
  state?: "ALL" | "ACTIVE";
}

export interface GetAccountInput {
  /** The account. */
  id: string;
}

export interface ListTransfersInput {
  /** Which page, from 1. One beyond the last is empty. */
  page?: number;
  /** Items per page. */
  pageSize?: number;
  /** One or more accounts; repeat it or separate with commas. */
  accountId: string[];
  /** `SIMULATION` lists dry runs instead. */
  executionMode?: ExecutionMode;
  /** Only transfers with this status. */
  status?: TransferStatus;
  /** Only transfers of this direction. */
  direction?: "MONEY_IN" | "MONEY_OUT" | "INTERNAL";
  /** Only transfers that this run of a rule made. */
  ruleExecutionId?: string;
  /** Earliest, inclusive. */
  from?: string;
  /** Latest, inclusive. */
  to?: string;
}

export interface GetTransferInput {
  /** The transfer. */
  id: string;
}

const OPERATIONS = {
  listAccounts: {"name":"listAccounts","method":"GET","path":"/accounts","pathFields":[],"isIdempotent":false},
  getAccount: {"name":"getAccount","method":"GET","path":"/accounts/{id}","pathFields":["id"],"isIdempotent":false},
  createTransfer: {"name":"createTransfer","method":"POST","path":"/transfers","pathFields":[],"isIdempotent":true},
  listTransfers: {"name":"listTransfers","method":"GET","path":"/transfers","pathFields":[],"isIdempotent":false},
  getTransfer: {"name":"getTransfer","method":"GET","path":"/transfers/{id}","pathFields":["id"],"isIdempotent":false},
} satisfies Record<string, OperationShape>;

/** A method for each operation of the API. */
export abstract class Operations {
  protected abstract send<Data>(operation: OperationShape, input: object, options: CallOptions): Promise<Answer<Data>>;

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
   * Read one account with its balance.
   *
   * One account with its balance. Routing and account numbers are always masked to their last four digits. The balance of an account outside is the provider's, as of `balanceLastUpdatedAt`; it refreshes about once per banking day, so read it at most every six hours.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, ACCOUNT_NOT_FOUND, UNEXPECTED_ERROR
   */
  getAccount(input: GetAccountInput, options: CallOptions = {}): Promise<Answer<Account>> {
    return this.send<Account>(OPERATIONS.getAccount, input, options);
  }

  /**
   * Make a transfer.
   *
   * Moves money between two accounts, of which Sluice manages at least one. The work is queued: poll `GET /transfers/{id}` until its status is final. If the key asks for approval, nothing moves until an owner or co-owner says yes, and the answer carries the address where they do. With `simulation: true` it is a dry run: recorded and `COMPLETE` at once, and nothing moves.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, PAYLOAD_TOO_LARGE, ACCESS_DENIED, TRANSFER_SOURCE_NOT_FOUND, TRANSFER_DESTINATION_NOT_FOUND, IDEMPOTENCY_KEY_MISMATCH, MAXIMUM_AMOUNT_EXCEEDED, TRANSFER_IN_PROGRESS, UNEXPECTED_ERROR
   */
  createTransfer(input: CreateTransferBody, options: CallOptions = {}): Promise<Answer<Transfer>> {
    return this.send<Transfer>(OPERATIONS.createTransfer, input, options);
  }

  /**
   * List transfers.
   *
   * Transfers in or out of the given accounts, newest first. Name at least one account. Dry runs are listed with `executionMode=SIMULATION`. Read it at most hourly.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, ACCOUNT_NOT_FOUND, UNEXPECTED_ERROR
   */
  listTransfers(input: ListTransfersInput, options: CallOptions = {}): Promise<Answer<ListTransfersData>> {
    return this.send<ListTransfersData>(OPERATIONS.listTransfers, input, options);
  }

  /**
   * Read one transfer.
   *
   * A transfer with its present status. A key may read it when it may read the transfers of its source or of its destination.
   *
   * @throws SluiceError UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INVALID_PARAMETERS, ACCESS_DENIED, TRANSFER_NOT_FOUND, UNEXPECTED_ERROR
   */
  getTransfer(input: GetTransferInput, options: CallOptions = {}): Promise<Answer<Transfer>> {
    return this.send<Transfer>(OPERATIONS.getTransfer, input, options);
  }
}
