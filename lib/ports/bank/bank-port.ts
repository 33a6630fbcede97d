import type { BankCapabilities, BankRail } from "@/lib/contract/bank-capabilities";
import { NamedError } from "@/lib/contract/error";

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
  /** What is refused before it is proposed, and what pages offer. */
  readonly capabilities: BankCapabilities;
  /** How often to ask it for notices without being woken. */
  readonly noticeIntervalMs: number;

  /**
   * Asks, at the start, whether the bank accepts the key, and whether the key knows the accounts that hold the money.
   * @throws BankRefusesKey in words for the operator
   * @throws BankUnavailable if the bank gave no answer
   */
  verify(): Promise<void>;

  /**
   * Opens an account that outside money can be sent to. The account's id is the idempotency key: repeated calls return
   * the same numbers.
   * @throws BankRefusesAccount if the bank opens none, with its words; a later call may succeed
   * @throws BankUnavailable if the outcome is unknown: call again
   */
  openAccount(input: BankAccountRequest): Promise<BankAccount>;

  /**
   * Registers an account outside of Sluice that orders may name. `outsideAccountId` is the idempotency key: repeated
   * calls return the same reference. The whole numbers are never stored by Sluice.
   * @throws BankRefusesAccount if the bank does not accept the numbers
   * @throws BankUnavailable if the outcome is unknown: call again
   */
  registerOutsideAccount(input: OutsideAccountRequest): Promise<RegisteredOutsideAccount>;

  /**
   * Submits an order to the bank. A second submission of the same transfer gets the first answer.
   * @throws BankUnavailable if the outcome is unknown: ask with `find`
   * @throws BankOrderConflict if this transfer was submitted before with a different amount or parties
   */
  submit(order: BankOrder, context: { businessNow: Date }): Promise<BankAnswer>;

  /**
   * What the bank knows of a transfer; null if it never received it, and only then may it be submitted again.
   * @param input.expected what was submitted; left out: not compared
   * @throws BankUnavailable
   * @throws BankOrderConflict if the order at the bank has another amount, account or receiver
   */
  find(input: {
    organizationId: string;
    transferId: string;
    businessNow: Date;
    expected?: ExpectedOrder;
  }): Promise<BankOrderState | null>;

  /**
   * Notices of one organization that are due and neither acknowledged nor set aside, oldest first.
   * @param input.limit 1 to MAX_NOTICES
   * @throws BankUnavailable if the bank does not answer and has reported nothing that still waits
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
   * A notice could not be booked: it is listed again after a while, which grows from five seconds to an hour, and until
   * then none of the same subject that follows it is: a return or a correction. Others are not delayed by it.
   * Acknowledging it ends that.
   * @param input.subject `subjectOf` the notice
   * @throws BankUnavailable
   */
  setAside(input: {
    organizationId: string;
    noticeReference: string;
    subject: string;
    businessNow: Date;
  }): Promise<void>;

  /**
   * Organizations with pending notices, the longest due first: what a worker polls.
   * @param input.limit 1 to MAX_NOTICES
   * @throws BankUnavailable
   */
  organizationsWithNotices(input: { realNow: Date; limit: number }): Promise<string[]>;

  /**
   * What the bank holds for one organization, in all of its accounts.
   * @param input.podIds those with an account of their own
   * @throws BankUnavailable
   */
  balance(input: {
    organizationId: string;
    podIds?: readonly string[];
    businessNow: Date;
  }): Promise<BankBalance>;

  /** Null where the capability `ownAccounts` is false. */
  readonly ownAccounts: OwnAccountsPort | null;

  /**
   * The bank's own lines of one organization, of all of its accounts; without moves between those. Their sum from the
   * first one on is the current balance. Pages come in the bank's own order and may hold fewer lines than `limit`, or
   * none; each line is on one page, and those of a page are oldest first. The statement of an adopted account begins with
   * one line for what it held then.
   * @param input.podIds those with an account of their own
   * @param input.from the earliest `bookedAt`; the same for all pages
   * @param input.cursor null for the first page, then `nextCursor`
   * @param input.limit 1 to MAX_STATEMENT_LINES
   * @throws BankUnavailable
   */
  statement(input: {
    organizationId: string;
    podIds?: readonly string[];
    from: Date;
    cursor: string | null;
    limit: number;
    businessNow: Date;
  }): Promise<BankStatementPage>;
}

/**
 * Accounts of pods beside the organization's own. Money from outside arrives on the organization's account, and orders leave
 * from it: between it and a pod's account, money only follows the books.
 */
export interface OwnAccountsPort {
  /**
   * Opens the account of a pod. The pod's id is the idempotency key: repeated calls open nothing more.
   * @throws BankUnavailable if the outcome is unknown: call again
   */
  open(input: OwnAccountRequest): Promise<void>;

  /**
   * What the bank holds in it, in cents.
   * @throws BankUnavailable
   */
  balanceInCents(input: OwnAccountRequest): Promise<number>;

  /**
   * Moves money between the organization's account and that of a pod. A repeated move gets the first answer.
   * @returns REFUSED: nothing moved, and this move never will
   * @throws BankUnavailable if the outcome is unknown: call again with the same move
   * @throws BankOrderConflict if a move of this id has another amount or account
   */
  move(input: OwnAccountRequest & OwnAccountMove): Promise<"DONE" | "REFUSED">;
}

export interface OwnAccountRequest {
  organizationId: string;
  podId: string;
  /** The owner's name for it. */
  name: string;
}

export interface OwnAccountMove {
  /** The idempotency key. */
  moveId: string;
  /** Into the pod's account; negative: out of it. Not 0. */
  amountInCents: number;
}

/** Bound of `limit` and of a list of references. */
export const MAX_NOTICES = 500;

/** Bound of a page of a statement: what real banks return at most. */
export const MAX_STATEMENT_LINES = 100;

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

export interface OutsideAccountRequest {
  organizationId: string;
  outsideAccountId: string;
  holderName: string;
  holderKind: "BUSINESS" | "INDIVIDUAL";
  accountKind: "CHECKING" | "SAVINGS";
  routingNumber: string;
  accountNumber: string;
  /** Where the holder lives or is registered; some banks require it. */
  address: OutsideAddress | null;
}

/** An address in the United States. */
export interface OutsideAddress {
  street: string;
  city: string;
  /** Two letters. */
  state: string;
  postalCode: string;
}

export interface RegisteredOutsideAccount {
  bankReference: string;
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
  outsideAccount: {
    name: string;
    /** Who the account belongs to, as registered; null or left out: not known. */
    holderName?: string | null;
    routingNumberLast4: string | null;
    accountNumberLast4: string | null;
    /** Of `registerOutsideAccount`; null for an account that was connected instead. */
    bankReference: string | null;
  };
}

export interface ExpectedOrder extends Pick<BankOrder, "direction" | "amountInCents"> {
  /** Of the receiver; null: not compared, since it may have changed after the order left. */
  bankReference: string | null;
}

/** Bound of what is kept of a bank's own words. */
export const MAXIMUM_BANK_WORDS = 300;

export type BankAnswer =
  | {
      kind: "ACCEPTED";
      reference: string;
      /** `YYYY-MM-DD`, a banking day in New York. */
      expectedSettlementDate: string;
      expectedSettlementAt: Date;
      /** Whether a person must approve it at the bank before it leaves. Left out: as the capability says. */
      isApprovedThere?: boolean;
    }
  | {
      kind: "REFUSED";
      /** A NACHA return code (`R03`), or one of BANK_REFUSALS. */
      code: string;
      message: string;
      /** The bank's own words, untrusted, at most MAXIMUM_BANK_WORDS; left out: it gave none. */
      bankWords?: string | null;
    };

export interface BankOrderState {
  reference: string;
  /** REFUSED: never accepted. RETURNED: accepted, then sent back, before or after it settled. */
  state: "PENDING" | "SETTLED" | "RETURNED" | "REFUSED";
  expectedSettlementAt: Date;
  /** As in an answer, when REFUSED or RETURNED. */
  code: string | null;
  bankWords?: string | null;
  /** As in an answer. */
  isApprovedThere?: boolean;
}

interface NoticeOfAnything {
  /** Unique per organization; the same for every delivery of this notice. */
  noticeReference: string;
  organizationId: string;
  /** Business time. */
  occurredAt: Date;
}

export interface SettledNotice extends NoticeOfAnything {
  kind: "SETTLED";
  transferId: string;
  code: null;
  rail: BankRail;
  /** What the bank charged for it; 0 if it bills otherwise. */
  feeInCents: number;
  /** When it can no longer be returned as a matter of course; null: no such time is known. */
  finalAt: Date | null;
  /** When a pull's money can be spent; null: at once. Until then Sluice holds it. */
  availableAt: Date | null;
}

/** Without an earlier SETTLED: the order never settled. */
export interface ReturnedNotice extends NoticeOfAnything {
  kind: "RETURNED";
  transferId: string;
  /** A NACHA return code, or one of BANK_REFUSALS. */
  code: string | null;
  /** As in an answer. */
  bankWords?: string | null;
}

/** A pull's money can be spent earlier than its settlement said. */
export interface ReleasedNotice extends NoticeOfAnything {
  kind: "RELEASED";
  transferId: string;
}

/** The outside account of an order has other numbers now (NACHA notification of change). The order itself is unaffected. */
export interface CorrectionNotice extends NoticeOfAnything {
  kind: "CORRECTED";
  transferId: string;
  /** NACHA change code (`C01`). */
  code: string;
  /** Of the corrected account, which the bank has registered; null: orders need none. */
  bankReference: string | null;
  routingNumberLast4: string;
  accountNumberLast4: string;
}

/** Money that an outside party sent to a managed account. */
export interface DepositNotice extends NoticeOfAnything {
  kind: "DEPOSITED";
  /** The bank's own reference of the deposit. */
  depositReference: string;
  accountId: string;
  /** Positive integer. */
  amountInCents: number;
  rail: BankRail;
  payerName: string;
}

/** The bank takes back a deposit that it had reported. */
export interface DepositReturnNotice extends NoticeOfAnything {
  kind: "DEPOSIT_RETURNED";
  depositReference: string;
  /** As of RETURNED. */
  code: string;
}

export type BankNotice =
  | SettledNotice
  | ReturnedNotice
  | ReleasedNotice
  | CorrectionNotice
  | DepositNotice
  | DepositReturnNotice;

/** The transfer or deposit that a notice is about: notices of one subject are booked in order. */
export function subjectOf(notice: BankNotice): string {
  return "transferId" in notice ? notice.transferId : notice.depositReference;
}

/** Whether it is the first that happens to its subject: it waits for no other, whichever arrives first. */
export function beginsSubject({ kind }: BankNotice): boolean {
  return kind === "DEPOSITED" || kind === "SETTLED";
}

export interface BankBalance {
  /** All that was booked, holds included. */
  currentInCents: number;
  /** Less what the bank holds. */
  availableInCents: number;
  asOf: Date;
}

export interface BankStatementPage {
  lines: BankStatementLine[];
  /** Null: the last page. */
  nextCursor: string | null;
}

/** CARD: a settled purchase or credit of a card, where the cards' money is at this bank. */
export type BankStatementLineKind =
  | "ORDER"
  | "ORDER_RETURN"
  | "DEPOSIT"
  | "DEPOSIT_RETURN"
  | "CARD"
  | "FEE"
  | "INTEREST"
  | "OTHER";

/** As the bank reports it now. Banks correct by a further line; one that changes a line keeps its reference. */
export interface BankStatementLine {
  /** Unique per organization, and of one line for ever. */
  lineReference: string;
  bookedAt: Date;
  /** Positive: into the account. Never zero. */
  amountInCents: number;
  kind: BankStatementLineKind;
  /** Of ORDER and ORDER_RETURN. */
  transferId: string | null;
  /** Of DEPOSIT and DEPOSIT_RETURN; as in their notices. */
  depositReference: string | null;
  /** Of CARD: the reference under which the card network reports the settlement. Left out elsewhere. */
  cardReference?: string | null;
  /** How the money traveled; null: it did not, as for a fee or a card, or the bank does not say. */
  rail: BankRail | null;
  /** The bank's text. */
  description: string;
}

/**
 * The bank did not answer, or its answer decides nothing: it may or may not have received the order. The message is for the
 * operator, and repeats no account number.
 */
export class BankUnavailable extends NamedError {
  static override readonly kind: string = "BankUnavailable";

  /** How long the bank asks to be left alone; 0: it did not say. */
  readonly retryAfterMs: number;

  constructor(message: string, options: ErrorOptions & { retryAfterMs?: number } = {}) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}

/**
 * The bank answers, and lists more than is searched for an order: whether it took the order stays unknown. It never means that
 * the order was not sent.
 */
export class BankSearchIncomplete extends BankUnavailable {
  static override readonly kind = "BankSearchIncomplete";
}

/**
 * The bank does not accept the operator's key, or the key does not know the accounts that hold the money. A kind of outage:
 * no transfer fails because of it.
 */
export class BankRefusesKey extends BankUnavailable {
  static override readonly kind = "BankRefusesKey";
}

/** The bank does not accept an account, for example its numbers. The message is for a person and repeats no number. */
export class BankRefusesAccount extends NamedError {
  static override readonly kind = "BankRefusesAccount";
}

/**
 * A transfer's id came a second time with different contents: a bug of the caller, not a refusal, since the first order
 * may be moving money. Treating it as one would release the hold of a transfer in progress.
 */
export class BankOrderConflict extends NamedError {
  static override readonly kind = "BankOrderConflict";

  constructor(readonly transferId: string) {
    super(`Transfer ${transferId} is at the bank with another amount, account or receiver`);
  }
}
