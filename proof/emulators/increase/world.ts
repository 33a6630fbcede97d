import type Increase from "increase";
import { Webhook } from "standardwebhooks";
import { addBankingDays, bankingDateOf, bankingInstant, bankingTimeOf } from "@/lib/contract/banking-days";
import { systemClock } from "@/lib/platform/clock";
import { resolveInboundAch } from "@/proof/emulators/increase/deposits";
import { Body, found, invalid, Refused } from "@/proof/emulators/increase/requests";
import { EmulatorRefusals } from "@/proof/emulators/refusals";

/** Files leave about every half hour. */
const SUBMISSION_EVERY_MS = 30 * 60_000;
const MAXIMUM_EVENTS_DELIVERED = 1_000;
const WEBHOOK_TIMEOUT_MS = 5_000;

type Account = Increase.Account;

/** How a group of accounts is set up at Increase. */
export interface IncreaseGroup {
  /** It has several programs or entities, so that each new account names one. */
  needs: "program_id" | "entity_id" | null;
  /** A person approves every order in the dashboard. */
  approvesOrders: boolean;
}
type Subscription = Pick<Increase.EventSubscription, "id" | "url"> & { secret: string };

/** What one key created, and the arguments that must be the same for a replay. */
interface Used {
  id: string;
  path: string;
  body: string;
}

/** The bank's state. Times are the emulator's own. */
export class IncreaseWorld {
  now: Date;
  readonly #openingInCents: number;
  #made = 0;
  #delivered = 0;
  readonly used = new Map<string, Used>();
  readonly accounts = new Map<string, Account>();
  readonly numbers = new Map<string, Increase.AccountNumber>();
  readonly outside = new Map<string, Increase.ExternalAccount>();
  readonly transfers = new Map<string, Increase.ACHTransfer>();
  readonly moves = new Map<string, Increase.AccountTransfer>();
  readonly inbound = new Map<string, Increase.InboundACHTransfer>();
  readonly checks = new Map<string, Increase.CheckDeposit>();
  readonly transactions = new Map<string, Increase.Transaction>();
  readonly events = new Map<string, Increase.Event>();
  readonly #subscriptions: Subscription[] = [];
  readonly refusals = new EmulatorRefusals();
  readonly group: IncreaseGroup = { needs: null, approvesOrders: false };

  constructor(startsAt: Date, openingInCents: number) {
    this.now = startsAt;
    this.#openingInCents = openingInCents;
  }

  newId(prefix: string): string {
    this.#made += 1;
    return `${prefix}_${String(this.#made).padStart(20, "0")}`;
  }

  emit(category: Increase.Event["category"], object: { id: string; type: string }): void {
    const id = this.newId("event");
    this.events.set(id, {
      id,
      associated_object_id: object.id,
      associated_object_type: object.type,
      category,
      created_at: this.now.toISOString(),
      type: "event",
    });
  }

  /** Updates of one order of an account that nobody here opened. */
  burst(count: number): void {
    const key = "burst-account";
    const account =
      [...this.accounts.values()].find((one) => one.idempotency_key === key) ??
      this.openAccount("Burst", key);
    this.accounts.set(account.id, account);
    const known = [...this.transfers.values()].find((one) => one.account_id === account.id);
    const transfer = known ?? this.#sendElsewhere(account);
    for (let made = 0; made < count; made += 1) this.emit("ach_transfer.updated", transfer);
  }

  #sendElsewhere(account: Account): Increase.ACHTransfer {
    const outside = this.addOutside(
      new Body({ description: "Elsewhere", routing_number: "101050001", account_number: "123456789" }),
      null,
    );
    this.outside.set(outside.id, outside);
    const transfer = this.sendAch(
      new Body({
        account_id: account.id,
        external_account_id: outside.id,
        amount: -1,
        statement_descriptor: "Batch",
      }),
      null,
    );
    this.transfers.set(transfer.id, transfer);
    return transfer;
  }

  /** Interest, a cent at a time. */
  fill(accountId: string, count: number): void {
    for (let made = 0; made < count; made += 1) {
      this.book(accountId, 1, "Interest", {
        category: "interest_payment",
        interest_payment: {
          accrued_on_account_id: accountId,
          amount: 1,
          currency: "USD",
          period_end: this.now.toISOString(),
          period_start: this.now.toISOString(),
        },
      });
    }
  }

  /** An event of any category and moment; see IncreaseEmulator.emit. */
  emitLate(category: string, objectId: string, createdAt: Date): void {
    const id = this.newId("event");
    // The type of a category that nobody knows is not in the SDK's list.
    const event = {
      id,
      associated_object_id: objectId,
      associated_object_type: category.split(".")[0] ?? "",
      category: category as Increase.Event["category"],
      created_at: createdAt.toISOString(),
      type: "event" as const,
    };
    this.events.set(id, event);
  }

  book(accountId: string, amount: number, description: string, source: Increase.Transaction.Source): string {
    const id = this.newId("transaction");
    this.transactions.set(id, {
      id,
      account_id: accountId,
      amount,
      created_at: this.now.toISOString(),
      currency: "USD",
      description,
      route_id: null,
      route_type: null,
      source,
      type: "transaction",
    });
    return id;
  }

  subscribe(url: string, secret: string): Increase.EventSubscription {
    const id = this.newId("event_subscription");
    this.#subscriptions.push({ id, url, secret });
    return {
      id,
      created_at: this.now.toISOString(),
      idempotency_key: null,
      oauth_connection_id: null,
      selected_event_categories: null,
      status: "active",
      type: "event_subscription",
      url,
    };
  }

  /** Webhooks of the events since the last delivery; one that fails is not repeated, since polling finds the event. */
  async deliver(): Promise<void> {
    const fresh = [...this.events.values()].slice(this.#delivered).slice(0, MAXIMUM_EVENTS_DELIVERED);
    this.#delivered = this.events.size;
    for (const { url, secret } of this.#subscriptions) {
      for (const event of fresh) {
        const body = JSON.stringify(event);
        const signer = new Webhook(`whsec_${Buffer.from(secret).toString("base64")}`);
        // Signatures are checked against real time, not the emulator's.
        const sentAt = systemClock.now();
        await fetch(url, {
          method: "POST",
          body,
          signal: AbortSignal.timeout(WEBHOOK_TIMEOUT_MS),
          headers: {
            "content-type": "application/json",
            "webhook-id": event.id,
            "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1_000)),
            "webhook-signature": signer.sign(event.id, sentAt, body),
          },
        }).catch(() => undefined);
      }
    }
  }

  requireOwner(body: Body): void {
    const { needs } = this.group;
    if (needs !== null && body.optional(needs) === null) {
      throw invalid(`You must specify a ${needs} because your group has several.`);
    }
  }

  openAccount(name: string, key: string | null): Account {
    const account: Account = {
      id: this.newId("account"),
      account_revenue_rate: null,
      bank: "first_internet_bank",
      closed_at: null,
      created_at: this.now.toISOString(),
      currency: "USD",
      entity_id: "entity_emulated",
      funding: "deposits",
      idempotency_key: key,
      informational_entity_id: null,
      interest_rate: "0",
      loan: null,
      name,
      program_id: "program_emulated",
      status: "open",
      type: "account",
    };
    // The organization's first account holds money to begin with; a pod’s gets its money by account transfers.
    if (this.#openingInCents > 0 && key?.split(":").length !== 3) {
      const source: Increase.Transaction.Source = {
        category: "sample_funds",
        sample_funds: { originator: "Emulator" },
      };
      this.book(account.id, this.#openingInCents, "Sample funds", source);
    }
    this.emit("account.created", account);
    return account;
  }

  balance(accountId: string): Increase.BalanceLookup {
    const current = [...this.transactions.values()]
      .filter((transaction) => transaction.account_id === accountId)
      .reduce((sum, { amount }) => sum + amount, 0);
    const held = [...this.transfers.values()]
      .filter(
        (transfer) => transfer.account_id === accountId && transfer.inbound_funds_hold?.status === "held",
      )
      .reduce((sum, { amount }) => sum - amount, 0);
    const heldChecks = [...this.checks.values()]
      .filter(({ account_id: id, inbound_funds_hold: hold }) => id === accountId && hold?.status === "held")
      .reduce((sum, { amount }) => sum + amount, 0);
    return {
      account_id: accountId,
      available_balance: current - held - heldChecks,
      current_balance: current,
      loan: null,
      type: "balance_lookup",
    };
  }

  addNumber(body: Body, key: string | null): Increase.AccountNumber {
    const account = found(this.accounts, body.text("account_id", 100));
    const id = this.newId("account_number");
    const number: Increase.AccountNumber = {
      id,
      account_id: account.id,
      account_number: id.slice(-17),
      created_at: this.now.toISOString(),
      idempotency_key: key,
      inbound_ach: { debit_status: "blocked" },
      inbound_checks: { status: "check_transfers_only" },
      name: body.text("name", 200),
      routing_number: "101050001",
      status: "active",
      type: "account_number",
    };
    this.emit("account_number.created", number);
    return number;
  }

  addOutside(body: Body, key: string | null): Increase.ExternalAccount {
    const routingNumber = body.text("routing_number", 9);
    if (!passesChecksum(routingNumber)) throw invalid("routing_number is not valid.");
    const accountNumber = body.text("account_number", 17);
    if (!/^[a-zA-Z0-9]+$/.test(accountNumber)) throw invalid("account_number is not valid.");
    const account: Increase.ExternalAccount = {
      id: this.newId("external_account"),
      account_holder: body.one("account_holder", ["business", "individual", "unknown"], "unknown"),
      account_number: accountNumber,
      created_at: this.now.toISOString(),
      description: body.text("description", 200),
      funding: body.one("funding", ["checking", "savings", "general_ledger", "other"], "checking"),
      idempotency_key: key,
      routing_number: routingNumber,
      status: "active",
      type: "external_account",
    };
    this.emit("external_account.created", account);
    return account;
  }

  sendAch(body: Body, key: string | null): Increase.ACHTransfer {
    const account = found(this.accounts, body.text("account_id", 100));
    const outside = found(this.outside, body.text("external_account_id", 100));
    const amount = body.integer("amount");
    if (amount === 0) throw invalid("amount must not be zero.");
    if (amount > this.balance(account.id).available_balance) {
      throw new Refused(409, "invalid_operation_error", "The account has not enough money.");
    }
    const transfer: Increase.ACHTransfer = {
      id: this.newId("ach_transfer"),
      account_id: account.id,
      account_number: outside.account_number,
      acknowledgement: null,
      addenda: null,
      amount,
      approval: null,
      cancellation: null,
      company_descriptive_date: null,
      company_discretionary_data: null,
      company_entry_description: body.optional("company_entry_description", 10),
      company_id: "1234567890",
      company_name: body.optional("company_name", 16),
      created_at: this.now.toISOString(),
      created_by: { category: "api_key", api_key: { description: "Emulator" } },
      currency: "USD",
      destination_account_holder: outside.account_holder,
      external_account_id: outside.id,
      funding: outside.funding === "other" ? "checking" : outside.funding,
      idempotency_key: key,
      inbound_funds_hold: null,
      individual_id: null,
      individual_name: body.optional("individual_name", 22),
      network: "ach",
      notifications_of_change: [],
      pending_transaction_id: null,
      preferred_effective_date: { date: null, settlement_schedule: "future_dated" },
      return: null,
      routing_number: outside.routing_number,
      settlement: null,
      standard_entry_class_code: body.one(
        "standard_entry_class_code",
        ["corporate_credit_or_debit", "prearranged_payments_and_deposit", "internet_initiated"],
        "corporate_credit_or_debit",
      ),
      statement_descriptor: body.text("statement_descriptor", 200),
      status: this.group.approvesOrders ? "pending_approval" : "pending_submission",
      submission: null,
      transaction_id: null,
      type: "ach_transfer",
    };
    // The money leaves, or for a pull arrives, at once; see the guide "Sending an ACH Transfer".
    transfer.transaction_id = this.book(account.id, -amount, transfer.statement_descriptor, {
      category: "ach_transfer_intention",
      ach_transfer_intention: {
        account_number: outside.account_number,
        amount,
        routing_number: outside.routing_number,
        statement_descriptor: transfer.statement_descriptor,
        transfer_id: transfer.id,
      },
    });
    this.emit("ach_transfer.created", transfer);
    return transfer;
  }

  move(body: Body, key: string | null): Increase.AccountTransfer {
    const from = found(this.accounts, body.text("account_id", 100));
    const to = found(this.accounts, body.text("destination_account_id", 100));
    const amount = body.integer("amount");
    if (amount <= 0) throw invalid("amount must be positive.");
    if (from.id === to.id) throw invalid("The accounts must differ.");
    if (amount > this.balance(from.id).available_balance) {
      throw new Refused(409, "invalid_operation_error", "The account has not enough money.");
    }
    const description = body.text("description", 200);
    const id = this.newId("account_transfer");
    const source: Increase.Transaction.Source = {
      category: "account_transfer_intention",
      account_transfer_intention: {
        amount,
        currency: "USD",
        description,
        destination_account_id: to.id,
        source_account_id: from.id,
        transfer_id: id,
      },
    };
    const move: Increase.AccountTransfer = {
      id,
      account_id: from.id,
      amount,
      approval: null,
      cancellation: null,
      created_at: this.now.toISOString(),
      created_by: { category: "api_key", api_key: { description: "Emulator" } },
      currency: "USD",
      description,
      destination_account_id: to.id,
      destination_transaction_id: this.book(to.id, amount, description, source),
      idempotency_key: key,
      pending_transaction_id: null,
      status: "complete",
      transaction_id: this.book(from.id, -amount, description, source),
      type: "account_transfer",
    };
    this.emit("account_transfer.created", move);
    return move;
  }

  approve(transfer: Increase.ACHTransfer): void {
    this.#require(transfer, "pending_approval");
    transfer.approval = { approved_at: this.now.toISOString(), approved_by: "approver@example.com" };
    transfer.status = "pending_submission";
    this.emit("ach_transfer.updated", transfer);
  }

  cancel(transfer: Increase.ACHTransfer): void {
    this.#require(transfer, "pending_approval");
    transfer.cancellation = { canceled_at: this.now.toISOString(), canceled_by: "approver@example.com" };
    this.#takeBack(transfer, "canceled");
  }

  reject(transfer: Increase.ACHTransfer): void {
    this.#require(transfer, "pending_submission");
    this.#takeBack(transfer, "rejected");
  }

  /** The money that its creation moved comes back. */
  #takeBack(transfer: Increase.ACHTransfer, status: "canceled" | "rejected"): void {
    transfer.status = status;
    this.book(transfer.account_id, transfer.amount, "Rejection", {
      category: "ach_transfer_rejection",
      ach_transfer_rejection: { transfer_id: transfer.id },
    });
    this.emit("ach_transfer.updated", transfer);
  }

  submit(transfer: Increase.ACHTransfer): void {
    this.#require(transfer, "pending_submission");
    const settlesOn = settlementDate(new Date(transfer.created_at));
    transfer.status = "submitted";
    transfer.submission = {
      administrative_returns_expected_by: bankingInstant(addBankingDays(settlesOn, 2), "06:00").toISOString(),
      effective_date: settlesOn,
      expected_funds_settlement_at: bankingInstant(settlesOn, "08:30").toISOString(),
      expected_settlement_schedule: "future_dated",
      submitted_at: this.now.toISOString(),
      trace_number: transfer.id.slice(-15),
    };
    this.emit("ach_transfer.updated", transfer);
  }

  acknowledge(transfer: Increase.ACHTransfer): void {
    this.#require(transfer, "submitted");
    transfer.acknowledgement = { acknowledged_at: this.now.toISOString() };
    this.emit("ach_transfer.updated", transfer);
  }

  settle(transfer: Increase.ACHTransfer, isHeld: boolean): void {
    this.#require(transfer, "submitted");
    if (transfer.settlement) throw new Refused(409, "invalid_operation_error", "It has settled already.");
    transfer.settlement = { settled_at: this.now.toISOString() };
    if (isHeld && transfer.amount < 0) {
      const until = bankingInstant(addBankingDays(bankingDateOf(this.now), 2), "08:30");
      transfer.inbound_funds_hold = {
        amount: -transfer.amount,
        automatically_releases_at: until.toISOString(),
        created_at: this.now.toISOString(),
        currency: "USD",
        held_transaction_id: transfer.transaction_id,
        pending_transaction_id: this.newId("pending_transaction"),
        released_at: null,
        status: "held",
        type: "inbound_funds_hold",
      };
    }
    this.emit("ach_transfer.updated", transfer);
  }

  returnAch(transfer: Increase.ACHTransfer, reason: string): void {
    this.#require(transfer, "submitted");
    const known = RETURN_REASONS.find(([name]) => name === reason);
    if (!known) throw invalid("reason is not known to this emulator.");
    const [name, code] = known;
    const details = {
      addenda_information: null,
      created_at: this.now.toISOString(),
      raw_return_reason_code: code,
      return_reason_code: name,
      trace_number: transfer.id.slice(-15),
      transaction_id: "",
      transfer_id: transfer.id,
    };
    details.transaction_id = this.book(transfer.account_id, transfer.amount, `Return: ${code}`, {
      category: "ach_transfer_return",
      ach_transfer_return: details,
    });
    transfer.status = "returned";
    transfer.return = details;
    if (transfer.inbound_funds_hold) this.#release(transfer.inbound_funds_hold);
    this.emit("ach_transfer.updated", transfer);
  }

  change(transfer: Increase.ACHTransfer, body: Body): void {
    this.#require(transfer, "submitted");
    const account = body.optional("corrected_account_number", 17);
    const routing = body.optional("corrected_routing_number", 9);
    if (account === null && routing === null) throw invalid("Name what is corrected.");
    transfer.notifications_of_change.push({
      change_code:
        account === null
          ? "incorrect_routing_number"
          : routing === null
            ? "incorrect_account_number"
            : "incorrect_routing_number_and_account_number",
      corrected_account_funding: null,
      corrected_account_number: account,
      corrected_individual_id: null,
      corrected_routing_number: routing,
      created_at: this.now.toISOString(),
    });
    this.emit("ach_transfer.updated", transfer);
  }

  advanceTo(now: Date): void {
    for (;;) {
      const [next] = this.#due().toSorted((a, b) => a.at.getTime() - b.at.getTime());
      if (!next || next.at > now) break;
      if (next.at > this.now) this.now = next.at;
      next.act();
    }
    if (now > this.now) this.now = now;
  }

  #due(): { at: Date; act: () => void }[] {
    const checks = [...this.checks.values()].flatMap(({ inbound_funds_hold: hold }) =>
      hold?.status === "held"
        ? [{ at: new Date(hold.automatically_releases_at), act: () => this.#release(hold) }]
        : [],
    );
    const pending = [...this.inbound.values()].flatMap((deposit) =>
      deposit.status === "pending"
        ? [{ at: new Date(deposit.automatically_resolves_at), act: () => resolveInboundAch(this, deposit) }]
        : [],
    );
    return [...checks, ...pending, ...this.#dueTransfers()];
  }

  #dueTransfers(): { at: Date; act: () => void }[] {
    return [...this.transfers.values()].flatMap((transfer) => {
      const { status, submission, settlement, inbound_funds_hold: hold } = transfer;
      if (status === "pending_submission") {
        const at = new Date(new Date(transfer.created_at).getTime() + SUBMISSION_EVERY_MS);
        return [{ at, act: () => this.submit(transfer) }];
      }
      if (status === "submitted" && submission && !settlement) {
        const at = new Date(submission.expected_funds_settlement_at);
        return [{ at, act: () => this.settle(transfer, false) }];
      }
      if (hold?.status === "held") {
        return [{ at: new Date(hold.automatically_releases_at), act: () => this.#release(hold) }];
      }
      return [];
    });
  }

  /** Before the time that the hold named. */
  releaseEarly(pendingTransactionId: string): object {
    const transfer = [...this.transfers.values()].find(
      ({ inbound_funds_hold: hold }) => hold?.pending_transaction_id === pendingTransactionId,
    );
    const hold = transfer?.inbound_funds_hold;
    if (!transfer || hold?.status !== "held") throw invalid("It holds nothing.");
    this.#release(hold);
    this.emit("ach_transfer.updated", transfer);
    return hold;
  }

  #release(hold: Increase.ACHTransfer.InboundFundsHold | Increase.CheckDeposit.InboundFundsHold): void {
    hold.status = "complete";
    hold.released_at = this.now.toISOString();
  }

  #require(transfer: Increase.ACHTransfer, status: Increase.ACHTransfer["status"]): void {
    if (transfer.status !== status) {
      throw new Refused(409, "invalid_operation_error", `The transfer is ${transfer.status}.`);
    }
  }
}

const RETURN_REASONS = [
  ["insufficient_fund", "R01"],
  ["account_closed", "R02"],
  ["no_account", "R03"],
  ["invalid_account_number_structure", "R04"],
  ["payment_stopped", "R08"],
  ["customer_advised_unauthorized_improper_ineligible_or_incomplete", "R10"],
  ["account_frozen_entry_returned_per_ofac_instruction", "R16"],
  ["corporate_customer_advised_not_authorized", "R29"],
] as const;

/** One banking day after the file that takes it. */
function settlementDate(createdAt: Date): string {
  const date = bankingDateOf(createdAt);
  const file = addBankingDays(date, 0);
  const isMissed = file === date && bankingTimeOf(createdAt) >= "16:45";
  return addBankingDays(file, isMissed ? 2 : 1);
}

/** The checksum of the American Bankers Association: weights 3, 7, 1. */
function passesChecksum(routingNumber: string): boolean {
  if (!/^[0-9]{9}$/.test(routingNumber)) return false;
  const weights = [3, 7, 1];
  const sum = [...routingNumber].reduce(
    (total, digit, at) => total + Number(digit) * (weights[at % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}
