/**
 * A bank partner that holds managed money and moves it in and out over ACH (decisions, "Transfer").
 *
 * The transfer's id is the idempotency key at the bank. The caller records that it is about to submit before it
 * does; after an unclear failure it asks with `find` and never resubmits blindly. Notices arrive at least once: the
 * caller counts each by its reference, and acknowledges it after the commit that booked it.
 *
 * `businessNow` is the organization's business time. A real bank runs in real time and ignores it.
 */
export interface BankPort {
  /** True for the sandbox: pages and messages then state that no real money moves. */
  readonly isSandbox: boolean;
  /** Named in messages to members. */
  readonly name: string;

  /**
   * Opens an account that outside money can be sent to. The account's id is the idempotency key: repeated calls return
   * the same numbers.
   * @throws BankUnavailable if the outcome is unknown: call again
   */
  openAccount(input: BankAccountRequest): Promise<BankAccount>;

  /**
   * Submits an order to the bank. A second submission of the same transfer gets the first answer.
   * @throws BankUnavailable if the outcome is unknown: ask with `find`
   * @throws BankOrderConflict if this transfer was submitted before with a different amount or parties
   */
  submit(order: BankOrder, context: { businessNow: Date }): Promise<BankAnswer>;

  /**
   * What the bank knows of a transfer; null if it never received it, and only then may it be submitted again.
   * @throws BankUnavailable
   */
  find(input: {
    organizationId: string;
    transferId: string;
    businessNow: Date;
  }): Promise<BankOrderState | null>;

  /**
   * Notices of one organization that are due and not acknowledged, oldest first.
   * @param input.limit 1 to MAX_NOTICES
   * @throws BankUnavailable
   */
  notices(input: { organizationId: string; businessNow: Date; limit: number }): Promise<BankNotice[]>;

  /**
   * Tells the bank that these notices are booked. Repeating it does nothing, nor do references that the bank does not
   * know for this organization.
   * @param input.noticeReferences at most MAX_NOTICES
   * @throws BankUnavailable
   */
  acknowledge(input: {
    organizationId: string;
    noticeReferences: string[];
    businessNow: Date;
  }): Promise<void>;

  /**
   * Organizations with pending notices, the longest due first: what a worker polls.
   * @param input.limit 1 to MAX_NOTICES
   * @throws BankUnavailable
   */
  organizationsWithNotices(input: { realNow: Date; limit: number }): Promise<string[]>;
}

/** Bound of `limit` and of a list of references. */
export const MAX_NOTICES = 500;

export interface BankAccountRequest {
  organizationId: string;
  accountId: string;
  /** The owner's name for it. */
  name: string;
  businessNow: Date;
}

/** Only the last four digits leave the bank: Sluice never stores a whole number. */
export interface BankAccount {
  institutionName: string;
  routingNumberLast4: string;
  accountNumberLast4: string;
}

export interface BankOrder {
  transferId: string;
  organizationId: string;
  /** CREDIT pushes managed money out to the outside account, DEBIT pulls money in from it. */
  direction: "CREDIT" | "DEBIT";
  /** Positive integer. */
  amountInCents: number;
  /** What the outside account's statement shows. */
  label: string | null;
  outsideAccount: { name: string; routingNumberLast4: string | null; accountNumberLast4: string | null };
}

export type BankAnswer =
  | {
      kind: "ACCEPTED";
      reference: string;
      /** `YYYY-MM-DD`, a banking day in New York. */
      expectedSettlementDate: string;
      expectedSettlementAt: Date;
    }
  | {
      kind: "REFUSED";
      /** A NACHA return code (`R03`). */
      code: string;
      message: string;
    };

export interface BankOrderState {
  reference: string;
  /** REFUSED: never accepted. RETURNED: accepted, then sent back, before or after it settled. */
  state: "PENDING" | "SETTLED" | "RETURNED" | "REFUSED";
  expectedSettlementAt: Date;
  /** NACHA return code when REFUSED or RETURNED. */
  code: string | null;
}

interface NoticeOfAnything {
  /** Unique per organization; the same for every delivery of this notice. */
  noticeReference: string;
  organizationId: string;
  /** Business time. */
  occurredAt: Date;
}

/** The outcome of an order. RETURNED without an earlier SETTLED: the order never settled. */
export interface OrderNotice extends NoticeOfAnything {
  kind: "SETTLED" | "RETURNED";
  transferId: string;
  /** NACHA return code when RETURNED. */
  code: string | null;
}

/** Money that an outside party sent to a managed account. */
export interface DepositNotice extends NoticeOfAnything {
  kind: "DEPOSITED";
  /** The bank's own reference of the deposit. */
  depositReference: string;
  accountId: string;
  /** Positive integer. */
  amountInCents: number;
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT";
  payerName: string;
}

/** The bank takes back a deposit that it had reported. */
export interface DepositReturnNotice extends NoticeOfAnything {
  kind: "DEPOSIT_RETURNED";
  depositReference: string;
  /** NACHA return code. */
  code: string;
}

export type BankNotice = OrderNotice | DepositNotice | DepositReturnNotice;

/** The bank did not answer: it may or may not have received the order. */
export class BankUnavailable extends Error {
  override readonly name = "BankUnavailable";
}

/**
 * A transfer's id came a second time with different contents: a bug of the caller, not a refusal, since the first order
 * may be moving money. Treating it as one would release the hold of a transfer in progress.
 */
export class BankOrderConflict extends Error {
  override readonly name = "BankOrderConflict";
  constructor(readonly transferId: string) {
    super(`Transfer ${transferId} was already submitted to the bank with other details`);
  }
}
