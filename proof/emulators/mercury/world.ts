import { createHmac, randomUUID } from "node:crypto";
import { addBankingDays, bankingDateOf, bankingInstant } from "@/lib/contract/banking-days";
import { systemClock } from "@/lib/platform/clock";
import { centsOf } from "@/lib/ports/bank/mercury/dollars";
import {
  amount,
  found,
  Refused,
  recipientSchema,
  sendSchema,
  write,
} from "@/proof/emulators/mercury/requests";
import { EmulatorRefusals } from "@/proof/emulators/refusals";

const DUPLICATE_MS = 24 * 3_600_000;
const MAXIMUM_EVENTS_DELIVERED = 1_000;
const WEBHOOK_TIMEOUT_MS = 5_000;
/** Whose token the emulator knows; this user may not approve what it requests. */
const TOKEN_CREATOR = "00000000-0000-4000-9000-000000000001";

/** What Mercury's documentation does not say. */
export interface MercurySilence {
  /** Which text an approval request repeats as its memo. */
  memoIs: "note" | "externalMemo";
  /** Whether 409 carries the approval request that the key made; documented for transactions. */
  repeatsApproval: boolean;
  /** Whether the transaction of an approved request names its request. */
  namesRequest: boolean;
}

interface Account {
  id: string;
  accountNumber: string;
  createdAt: Date;
}

export interface Recipient {
  id: string;
  name: string;
  nickname: string | null;
  emails: string[];
  status: "active";
  electronicRoutingInfo: Record<string, unknown>;
}

type RequestStatus = "pendingApproval" | "approved" | "rejected" | "cancelled";

export interface Approval {
  id: string;
  accountId: string;
  recipientId: string;
  amountInCents: number;
  status: RequestStatus;
  note: string | null;
  externalMemo: string | null;
  createdAt: Date;
  reviews: { reviewerUserId: string; status: "approved" | "rejected"; reviewedAt: string }[];
}

type TransactionStatus = "pending" | "sent" | "cancelled" | "failed" | "reversed" | "blocked";

export interface Transaction {
  id: string;
  accountId: string;
  amountInCents: number;
  status: TransactionStatus;
  kind: string;
  counterpartyId: string;
  counterpartyName: string;
  note: string | null;
  externalMemo: string | null;
  requestId: string | null;
  createdAt: Date;
  estimatedDeliveryDate: Date;
  postedAt: Date | null;
  failedAt: Date | null;
  reasonForFailure: string | null;
  relatedTransactions: { id: string; accountId: string; relationKind: string; amount: string }[];
  version: number;
}

export function transactionJson(transaction: Transaction): Record<string, unknown> {
  const { amountInCents, version: _version, ...rest } = transaction;
  return {
    ...rest,
    amount: amount(amountInCents),
    bankDescription: `${transaction.counterpartyName}; ${transaction.kind}`,
    dashboardLink: "https://app.mercury.example/transactions",
    compliantWithReceiptPolicy: true,
    hasGeneratedReceipt: false,
    glAllocations: [],
    attachments: [],
    trackingNumber: null,
  };
}

interface Sent {
  at: Date;
  accountId: string;
  recipientId: string;
  cents: number;
}

/** The bank's state. Times are the emulator's own. */
export class MercuryWorld {
  now: Date;
  /** Ids of two emulators differ. */
  readonly #ids = randomUUID().slice(0, 24);
  #made = 0;
  #delivered = 0;
  readonly #used = new Map<string, { approval: Approval } | { transaction: Transaction }>();
  readonly #sent: Sent[] = [];
  readonly refusals = new EmulatorRefusals();
  #burstAccountId: string | null = null;
  readonly #subscriptions: { url: string; secretKey: string }[] = [];
  readonly accounts = new Map<string, Account>();
  readonly recipients = new Map<string, Recipient>();
  readonly approvals = new Map<string, Approval>();
  readonly transactions = new Map<string, Transaction>();
  readonly events: { id: string; resourceType: string; [field: string]: unknown }[] = [];

  constructor(
    startsAt: Date,
    readonly silence: MercurySilence,
  ) {
    this.now = startsAt;
  }

  #id(): string {
    this.#made += 1;
    return `${this.#ids}${String(this.#made).padStart(12, "0")}`;
  }

  openAccount(openingInCents: number): Account {
    const id = this.#id();
    const account = { id, accountNumber: `2020${id.slice(-8)}`, createdAt: this.now };
    this.accounts.set(id, account);
    if (openingInCents > 0) this.receive(account, openingInCents, { from: "Opening", kind: "other" });
    return account;
  }

  accountJson(account: Account): Record<string, unknown> {
    const ofAccount = [...this.transactions.values()].filter(({ accountId }) => accountId === account.id);
    const current = sum(ofAccount.filter(({ postedAt }) => postedAt));
    const leaving = sum(
      ofAccount.filter(({ status, amountInCents }) => status === "pending" && amountInCents < 0),
    );
    return {
      id: account.id,
      accountNumber: account.accountNumber,
      routingNumber: "101050001",
      name: "Mercury Checking",
      status: "active",
      type: "mercury",
      kind: "checking",
      legalBusinessName: "Northwind Studio LLC",
      createdAt: account.createdAt.toISOString(),
      dashboardLink: "https://app.mercury.example/accounts",
      currentBalance: amount(current),
      availableBalance: amount(current + leaving),
    };
  }

  addRecipient(body: Record<string, unknown>): Recipient {
    const parsed = recipientSchema.safeParse(body);
    if (!parsed.success) throw new Refused(400, "Invalid body");
    const { nickname = null, ...rest } = parsed.data;
    const recipient: Recipient = { id: this.#id(), status: "active", nickname, ...rest };
    this.recipients.set(recipient.id, recipient);
    return recipient;
  }

  send(
    account: Account,
    body: Record<string, unknown>,
    way: "REQUEST" | "DIRECT",
  ): { made: Record<string, unknown>; isReplay: boolean } {
    const parsed = sendSchema.safeParse(body);
    const cents = parsed.success ? centsOf(parsed.data.amount) : null;
    if (!parsed.success || cents === null || cents < 1) throw new Refused(400, "Invalid body");
    const { recipientId, idempotencyKey, note = null, externalMemo = null } = parsed.data;
    const used = this.#used.get(idempotencyKey);
    if (used) return { made: this.#madeJson(used), isReplay: true };
    const recipient = this.recipients.get(recipientId);
    if (!recipient) throw new Refused(400, "Recipient not found");
    this.#refuseDuplicate({ accountId: account.id, recipientId, cents, at: this.now });
    const details = { account, recipient, cents, note, externalMemo };
    const made =
      way === "REQUEST"
        ? { approval: this.#request(details) }
        : { transaction: this.#pay({ ...details, requestId: null }) };
    this.#used.set(idempotencyKey, made);
    return { made: this.#madeJson(made), isReplay: false };
  }

  #madeJson(made: { approval: Approval } | { transaction: Transaction }): Record<string, unknown> {
    return "approval" in made ? this.approvalJson(made.approval) : transactionJson(made.transaction);
  }

  /** The same recipient, account and amount within 24 hours, whatever the key. */
  #refuseDuplicate(sent: Sent): void {
    const isAgain = this.#sent.some(
      (one) =>
        one.accountId === sent.accountId &&
        one.recipientId === sent.recipientId &&
        one.cents === sent.cents &&
        sent.at.getTime() - one.at.getTime() < DUPLICATE_MS,
    );
    if (isAgain) throw new Refused(400, "This looks like a duplicate payment");
    this.#sent.push(sent);
  }

  #request(input: {
    account: Account;
    recipient: Recipient;
    cents: number;
    note: string | null;
    externalMemo: string | null;
  }): Approval {
    const approval: Approval = {
      id: this.#id(),
      accountId: input.account.id,
      recipientId: input.recipient.id,
      amountInCents: input.cents,
      status: "pendingApproval",
      note: input.note,
      externalMemo: input.externalMemo,
      createdAt: this.now,
      reviews: [],
    };
    this.approvals.set(approval.id, approval);
    return approval;
  }

  /** No event tells of it, and it does not name its transaction. */
  approvalJson(approval: Approval): Record<string, unknown> {
    return {
      requestId: approval.id,
      accountId: approval.accountId,
      recipientId: approval.recipientId,
      amount: amount(approval.amountInCents),
      paymentMethod: "ach",
      status: approval.status,
      requestedByUserId: TOKEN_CREATOR,
      requesterMayApprove: false,
      numberOfApproversRequired: 1,
      reviews: approval.reviews,
      scheduledSendDate: null,
      memo: approval[this.silence.memoIs],
      createdAt: approval.createdAt.toISOString(),
    };
  }

  review(approval: Approval, userId: string, status: "approved" | "rejected"): object {
    this.#requirePending(approval);
    if (userId === TOKEN_CREATOR) throw new Refused(403, "Someone else must approve");
    approval.reviews.push({ reviewerUserId: userId, status, reviewedAt: this.now.toISOString() });
    approval.status = status;
    if (status === "rejected") return this.approvalJson(approval);
    return transactionJson(
      this.#pay({
        account: found(this.accounts, approval.accountId),
        recipient: found(this.recipients, approval.recipientId),
        cents: approval.amountInCents,
        note: approval.note,
        externalMemo: approval.externalMemo,
        requestId: this.silence.namesRequest ? approval.id : null,
      }),
    );
  }

  cancel(approval: Approval): object {
    this.#requirePending(approval);
    approval.status = "cancelled";
    return this.approvalJson(approval);
  }

  #requirePending({ status }: Approval): void {
    if (status !== "pendingApproval") throw new Refused(400, `The request is ${status}`);
  }

  #pay(input: {
    account: Account;
    recipient: Recipient;
    cents: number;
    note: string | null;
    externalMemo: string | null;
    requestId: string | null;
  }): Transaction {
    const date = addBankingDays(bankingDateOf(this.now), 1);
    return this.#create({
      accountId: input.account.id,
      amountInCents: -input.cents,
      status: "pending",
      kind: "outgoingPayment",
      counterpartyId: input.recipient.id,
      counterpartyName: input.recipient.name,
      note: input.note,
      externalMemo: input.externalMemo,
      requestId: input.requestId,
      estimatedDeliveryDate: bankingInstant(date, "08:30"),
      postedAt: null,
      relatedTransactions: [],
    });
  }

  receive(account: Account, cents: number, { from, kind }: { from: string; kind: string }): object {
    const transaction = this.#create({
      accountId: account.id,
      amountInCents: cents,
      status: "sent",
      kind,
      counterpartyId: this.#id(),
      counterpartyName: from,
      note: null,
      externalMemo: null,
      requestId: null,
      estimatedDeliveryDate: this.now,
      postedAt: this.now,
      relatedTransactions: [],
    });
    return transactionJson(transaction);
  }

  #create(
    input: Omit<Transaction, "id" | "createdAt" | "failedAt" | "reasonForFailure" | "version">,
  ): Transaction {
    const id = this.#id();
    const nothing = { failedAt: null, reasonForFailure: null, version: 0 };
    const transaction: Transaction = { ...input, id, createdAt: this.now, ...nothing };
    this.transactions.set(id, transaction);
    this.#emit(transaction, "create", transactionJson(transaction), null);
    return transaction;
  }

  #change(transaction: Transaction, changes: Partial<Transaction>): object {
    const before = transactionJson(transaction);
    Object.assign(transaction, changes);
    const after = transactionJson(transaction);
    const changed = Object.keys(changes);
    const pick = (object: Record<string, unknown>) =>
      Object.fromEntries(changed.map((name) => [name, object[name] ?? null]));
    this.#emit(transaction, "update", pick(after), pick(before));
    return after;
  }

  /** RFC 7396: the patch holds what changed. Balances have events of their own, which nobody asked for. */
  #emit(
    transaction: Transaction,
    operationType: "create" | "update",
    mergePatch: Record<string, unknown>,
    previousValues: Record<string, unknown> | null,
  ): void {
    transaction.version += 1;
    const about = { resourceId: transaction.id, operationType, resourceVersion: transaction.version };
    const occurredAt = this.now.toISOString();
    const changedPaths = Object.keys(mergePatch);
    const change = { occurredAt, changedPaths, mergePatch, previousValues };
    this.events.push({ id: this.#id(), resourceType: "transaction", ...about, ...change });
    this.events.push({
      id: this.#id(),
      resourceType: "checkingAccount",
      resourceId: transaction.accountId,
      operationType: "update",
      resourceVersion: this.#made,
      occurredAt,
      changedPaths: ["availableBalance"],
      mergePatch: {},
      previousValues: {},
    });
  }

  /** Updates of one payment of an account that nobody here adopted. */
  burst(count: number): void {
    const account = this.accounts.get(this.#burstAccountId ?? "") ?? this.openAccount(0);
    this.#burstAccountId = account.id;
    const known = [...this.transactions.values()].find(({ accountId }) => accountId === account.id);
    if (!known) this.receive(account, 1, { from: "Batch", kind: "other" });
    const [paid] = [...this.transactions.values()].filter(({ accountId }) => accountId === account.id);
    if (!paid) throw new Error("A burst is about a payment");
    for (let made = 0; made < count; made += 1) this.#emit(paid, "update", {}, {});
  }

  fill(account: Account, count: number): void {
    const before = this.events.length;
    this.receive(account, 1, { from: "Interest", kind: "other" });
    this.events.length = before;
    const [first] = [...this.transactions.values()].slice(-1);
    for (let made = 1; first && made < count; made += 1) {
      const id = this.#id();
      this.transactions.set(id, { ...first, id });
    }
  }

  emitAny(event: Record<string, unknown>): void {
    this.events.push({ id: this.#id(), resourceType: "transaction", ...event });
  }

  post(transaction: Transaction): object {
    this.#require(transaction, ["pending"]);
    return this.#change(transaction, { status: "sent", postedAt: this.now });
  }

  /** The money of a payment that was posted comes back as a transaction of its own. */
  fail(transaction: Transaction, reason: string | null): object {
    this.#require(transaction, ["pending", "sent"]);
    if (transaction.postedAt) this.#giveBack(transaction, "PaymentRefundToFailedPayment");
    return this.#change(transaction, { status: "failed", failedAt: this.now, reasonForFailure: reason });
  }

  end(transaction: Transaction, status: "cancelled" | "blocked" | "reversed", reason: string | null): object {
    this.#require(transaction, status === "reversed" ? ["sent"] : ["pending"]);
    if (transaction.postedAt) this.#giveBack(transaction, "ReturnToOriginalTransaction");
    return this.#change(transaction, { status, failedAt: this.now, reasonForFailure: reason });
  }

  returnDeposit(transaction: Transaction, reason: string | null): object {
    this.#require(transaction, ["sent"]);
    return transactionJson(this.#giveBack(transaction, "ReturnToOriginalTransaction", reason));
  }

  #giveBack(original: Transaction, relationKind: string, reason: string | null = null): Transaction {
    const { id, accountId, amountInCents } = original;
    const back = this.#create({
      ...original,
      amountInCents: -amountInCents,
      status: "sent",
      kind: "other",
      note: null,
      requestId: null,
      postedAt: this.now,
      relatedTransactions: [{ id, accountId, relationKind, amount: amount(amountInCents) }],
    });
    if (reason !== null) back.reasonForFailure = reason;
    return back;
  }

  #require({ status }: Transaction, statuses: readonly TransactionStatus[]): void {
    if (!statuses.includes(status)) throw new Refused(400, `The transaction is ${status}`);
  }

  advanceTo(now: Date): void {
    const due = [...this.transactions.values()]
      .filter(({ status, estimatedDeliveryDate }) => status === "pending" && estimatedDeliveryDate <= now)
      .toSorted((a, b) => a.estimatedDeliveryDate.getTime() - b.estimatedDeliveryDate.getTime());
    for (const transaction of due) {
      if (transaction.estimatedDeliveryDate > this.now) this.now = transaction.estimatedDeliveryDate;
      this.post(transaction);
    }
    if (now > this.now) this.now = now;
  }

  subscribe(url: string): object {
    const secretKey = `emulated-${this.#id()}`;
    this.#subscriptions.push({ url, secretKey });
    this.#delivered = this.events.length;
    return { id: this.#id(), url, status: "active", secretKey };
  }

  /** Webhooks of the events since the last delivery; one that fails is not repeated, since polling finds the event. */
  async deliver(): Promise<void> {
    const fresh = this.events.slice(this.#delivered).slice(0, MAXIMUM_EVENTS_DELIVERED);
    this.#delivered = this.events.length;
    for (const { url, secretKey } of this.#subscriptions) {
      for (const event of fresh) {
        const body = write(event);
        await fetch(url, {
          method: "POST",
          body,
          signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
          headers: {
            "content-type": "application/json",
            // Signatures are checked against real time, not the emulator's.
            "mercury-signature": signMercury(secretKey, systemClock.now(), body),
          },
        }).catch(() => undefined);
      }
    }
  }
}

const sum = (transactions: readonly Transaction[]) =>
  transactions.reduce((total, { amountInCents }) => total + amountInCents, 0);

/** `t=<seconds>,v1=<hexadecimal HMAC-SHA256 of t.body>` (docs.mercury.com/reference/webhooks). */
export function signMercury(secretKey: string, at: Date, body: string): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const signature = createHmac("sha256", secretKey).update(`${seconds}.${body}`).digest("hex");
  return `t=${seconds},v1=${signature}`;
}
