import type { Hono } from "hono";
import type Increase from "increase";
import { addBankingDays, bankingDateOf, bankingInstant } from "@/lib/contract/banking-days";
import { Body, found, invalid, Refused } from "@/proof/emulators/increase/requests";

/** A hold of two banking days, as new accounts have. */
const CHECK_HOLD_DAYS = 2;
const PAYER_ROUTING_NUMBER = "101050001";
const PAYER_ACCOUNT_NUMBER = "456789123";

/** What deposits need of the emulated bank. */
interface DepositWorld {
  readonly now: Date;
  readonly accounts: ReadonlyMap<string, Increase.Account>;
  readonly numbers: ReadonlyMap<string, Increase.AccountNumber>;
  readonly checks: Map<string, Increase.CheckDeposit>;
  readonly inbound: Map<string, Increase.InboundACHTransfer>;
  newId(prefix: string): string;
  emit(category: Increase.Event["category"], object: { id: string; type: string }): void;
  book(accountId: string, amount: number, description: string, source: Increase.Transaction.Source): string;
  deliver(): Promise<void>;
}

/** ACH credits, wires, instant payments and checks of others, with the simulations of Increase's sandbox. */
export function addDepositRoutes(app: Hono, world: DepositWorld) {
  const deposits = new Deposits(world);
  const simulate = <T extends object>(path: string, kept: Map<string, T>, receive: (body: Body) => T) => {
    app.get(`/${path}/:id`, (c) => c.json(found(kept, c.req.param("id"))));
    app.post(`/simulations/${path}`, async (c) => {
      const deposit = receive(new Body(await c.req.json()));
      await world.deliver();
      return c.json(deposit);
    });
  };
  simulate("inbound_wire_transfers", deposits.wires, (body) => deposits.receiveWire(body));
  simulate("inbound_real_time_payments_transfers", deposits.payments, (body) =>
    deposits.receivePayment(body),
  );
  simulate("inbound_fednow_transfers", deposits.fednow, (body) => deposits.receiveFednow(body));
  app.post("/simulations/inbound_ach_transfers", async (c) => {
    const deposit = deposits.receiveAch(new Body(await c.req.json()));
    await world.deliver();
    return c.json(deposit);
  });
  app.post("/inbound_ach_transfers/:id/decline", async (c) => {
    const deposit = deposits.declineAch(c.req.param("id"));
    await world.deliver();
    return c.json(deposit);
  });
  app.post("/inbound_ach_transfers/:id/transfer_return", async (c) => {
    const deposit = deposits.returnAch(c.req.param("id"), new Body(await c.req.json()));
    await world.deliver();
    return c.json(deposit);
  });
  app.post("/inbound_wire_transfers/:id/reverse", async (c) => {
    const wire = deposits.reverseWire(c.req.param("id"), new Body(await c.req.json()));
    await world.deliver();
    return c.json(wire);
  });
  app.get("/check_deposits/:id", (c) => c.json(found(world.checks, c.req.param("id"))));
  app.post("/simulations/check_deposits/:id/submit", async (c) => {
    const check = deposits.submitCheck(c.req.param("id"));
    await world.deliver();
    return c.json(check);
  });
  app.post("/simulations/check_deposits/:id/return", async (c) => {
    const check = deposits.returnCheck(c.req.param("id"));
    await world.deliver();
    return c.json(check);
  });
  return deposits;
}

/** No one answered in time: Increase accepts. */
export function resolveInboundAch(world: DepositWorld, deposit: Increase.InboundACHTransfer): void {
  acceptAch(world, deposit);
  world.emit("inbound_ach_transfer.updated", deposit);
}

function acceptAch(world: DepositWorld, deposit: Increase.InboundACHTransfer): void {
  const { account_id: accountId, amount, originator_company_name: company } = deposit;
  const transactionId = world.book(accountId, amount, company, {
    category: "inbound_ach_transfer",
    inbound_ach_transfer: {
      addenda: null,
      amount,
      originator_company_descriptive_date: null,
      originator_company_discretionary_data: null,
      originator_company_entry_description: "PAYMENT",
      originator_company_id: "0987654321",
      originator_company_name: company,
      receiver_id_number: null,
      receiver_name: null,
      trace_number: deposit.trace_number,
      transfer_id: deposit.id,
    },
  });
  deposit.status = "accepted";
  deposit.acceptance = { accepted_at: world.now.toISOString(), transaction_id: transactionId };
}

class Deposits {
  readonly #world: DepositWorld;
  readonly wires = new Map<string, Increase.InboundWireTransfer>();
  readonly payments = new Map<string, Increase.InboundRealTimePaymentsTransfer>();
  readonly fednow = new Map<string, Increase.InboundFednowTransfer>();

  constructor(world: DepositWorld) {
    this.#world = world;
  }

  get checks(): Map<string, Increase.CheckDeposit> {
    return this.#world.checks;
  }

  receiveAch(body: Body): Increase.InboundACHTransfer {
    const { number, amount, at } = this.#received(body);
    const company = body.optional("company_name") ?? "Sample company";
    const resolveAt = new Date(body.optional("resolve_at") ?? at);
    const id = this.#world.newId("inbound_ach_transfer");
    const deposit: Increase.InboundACHTransfer = {
      id,
      acceptance: null,
      account_id: number.account_id,
      account_number_id: number.id,
      addenda: null,
      amount,
      automatically_resolves_at: resolveAt.toISOString(),
      created_at: at,
      decline: null,
      direction: "credit",
      effective_date: bankingDateOf(this.#world.now),
      international_addenda: null,
      notification_of_change: null,
      originator_company_descriptive_date: null,
      originator_company_discretionary_data: null,
      originator_company_entry_description: "PAYMENT",
      originator_company_id: "0987654321",
      originator_company_name: company,
      originator_routing_number: "101050001",
      receiver_id_number: null,
      receiver_name: null,
      settlement: { settled_at: at, settlement_schedule: "future_dated" },
      standard_entry_class_code: "corporate_credit_or_debit",
      status: "pending",
      trace_number: id.slice(-15),
      transfer_return: null,
      type: "inbound_ach_transfer",
    };
    this.#world.inbound.set(id, deposit);
    if (resolveAt <= this.#world.now) acceptAch(this.#world, deposit);
    this.#world.emit("inbound_ach_transfer.created", deposit);
    return deposit;
  }

  declineAch(id: string): Increase.InboundACHTransfer {
    const deposit = found(this.#world.inbound, id);
    if (deposit.status !== "pending") throw notNow("It is not pending.");
    deposit.status = "declined";
    deposit.decline = {
      declined_at: this.#world.now.toISOString(),
      declined_transaction_id: this.#world.newId("declined_transaction"),
      reason: "user_initiated",
    };
    this.#world.emit("inbound_ach_transfer.updated", deposit);
    return deposit;
  }

  returnAch(id: string, body: Body): Increase.InboundACHTransfer {
    const deposit = found(this.#world.inbound, id);
    const reason = body.one(
      "reason",
      ["duplicate_entry", "payment_stopped", "credit_entry_refused_by_receiver"],
      "duplicate_entry",
    );
    if (deposit.status !== "accepted") throw notNow("It is not accepted.");
    const transactionId = this.#world.book(deposit.account_id, -deposit.amount, "Return", {
      category: "inbound_ach_transfer_return_intention",
      inbound_ach_transfer_return_intention: { inbound_ach_transfer_id: deposit.id },
    });
    deposit.status = "returned";
    deposit.transfer_return = {
      reason,
      returned_at: this.#world.now.toISOString(),
      transaction_id: transactionId,
    };
    this.#world.emit("inbound_ach_transfer.updated", deposit);
    return deposit;
  }

  receiveWire(body: Body): Increase.InboundWireTransfer {
    const { number, amount, at } = this.#received(body);
    const name = body.optional("debtor_name") ?? "Sample sender";
    const id = this.#world.newId("inbound_wire_transfer");
    const parties = {
      creditor_address_line1: null,
      creditor_address_line2: null,
      creditor_address_line3: null,
      creditor_name: null,
      debtor_address_line1: null,
      debtor_address_line2: null,
      debtor_address_line3: null,
      debtor_name: name,
      description: "Inbound wire transfer",
      end_to_end_identification: null,
      input_message_accountability_data: null,
      instructing_agent_routing_number: null,
      instruction_identification: null,
      purpose: null,
      unique_end_to_end_transaction_reference: null,
      unstructured_remittance_information: null,
    };
    const transactionId = this.#world.book(number.account_id, amount, name, {
      category: "inbound_wire_transfer",
      inbound_wire_transfer: { ...parties, amount, transfer_id: id },
    });
    const wire: Increase.InboundWireTransfer = {
      ...parties,
      id,
      acceptance: { accepted_at: at, transaction_id: transactionId },
      account_id: number.account_id,
      account_number_id: number.id,
      amount,
      created_at: at,
      debtor_account_number: PAYER_ACCOUNT_NUMBER,
      debtor_routing_number: PAYER_ROUTING_NUMBER,
      reversal: null,
      status: "accepted",
      type: "inbound_wire_transfer",
      wire_drawdown_request_id: null,
    };
    this.wires.set(id, wire);
    this.#world.emit("inbound_wire_transfer.created", wire);
    return wire;
  }

  reverseWire(id: string, body: Body): Increase.InboundWireTransfer {
    const wire = found(this.wires, id);
    const reason = body.one(
      "reason",
      ["duplicate", "creditor_request", "transaction_forbidden"],
      "duplicate",
    );
    if (wire.status !== "accepted") throw notNow("The wire is not accepted.");
    this.#world.book(wire.account_id, -wire.amount, "Reversal of a wire", {
      category: "inbound_wire_transfer_reversal",
      inbound_wire_transfer_reversal: { inbound_wire_transfer_id: wire.id },
    });
    wire.status = "reversed";
    wire.reversal = { reason, reversed_at: this.#world.now.toISOString() };
    this.#world.emit("inbound_wire_transfer.updated", wire);
    return wire;
  }

  receivePayment(body: Body): Increase.InboundRealTimePaymentsTransfer {
    const { number, amount, at } = this.#received(body);
    const id = this.#world.newId("inbound_real_time_payments_transfer");
    const parties = this.#parties(body, id);
    const transactionId = this.#world.book(number.account_id, amount, parties.debtor_name, {
      category: "inbound_real_time_payments_transfer_confirmation",
      inbound_real_time_payments_transfer_confirmation: {
        ...parties,
        amount,
        currency: "USD",
        transfer_id: id,
      },
    });
    const payment: Increase.InboundRealTimePaymentsTransfer = {
      ...parties,
      id,
      account_id: number.account_id,
      account_number_id: number.id,
      amount,
      confirmation: { confirmed_at: at, transaction_id: transactionId },
      created_at: at,
      currency: "USD",
      decline: null,
      status: "confirmed",
      type: "inbound_real_time_payments_transfer",
    };
    this.payments.set(id, payment);
    this.#world.emit("inbound_real_time_payments_transfer.created", payment);
    return payment;
  }

  receiveFednow(body: Body): Increase.InboundFednowTransfer {
    const { number, amount, at } = this.#received(body);
    const id = this.#world.newId("inbound_fednow_transfer");
    const { transaction_identification: _, ...parties } = this.#parties(body, id);
    const transactionId = this.#world.book(number.account_id, amount, parties.debtor_name, {
      category: "inbound_fednow_transfer_confirmation",
      inbound_fednow_transfer_confirmation: { transfer_id: id },
    });
    const payment: Increase.InboundFednowTransfer = {
      ...parties,
      id,
      account_id: number.account_id,
      account_number_id: number.id,
      amount,
      confirmation: { transfer_id: id },
      created_at: at,
      currency: "USD",
      decline: null,
      status: "confirmed",
      transaction_id: transactionId,
      type: "inbound_fednow_transfer",
      unique_end_to_end_transaction_reference: null,
    };
    this.fednow.set(id, payment);
    this.#world.emit("inbound_fednow_transfer.created", payment);
    return payment;
  }

  depositCheck(body: Body, key: string | null): Increase.CheckDeposit {
    const account = found(this.#world.accounts, body.text("account_id", 100));
    const amount = body.integer("amount");
    if (amount <= 0) throw invalid("amount must be positive.");
    const check: Increase.CheckDeposit = {
      id: this.#world.newId("check_deposit"),
      account_id: account.id,
      amount,
      back_image_file_id: body.text("back_image_file_id", 100),
      created_at: this.#world.now.toISOString(),
      deposit_acceptance: null,
      deposit_adjustments: [],
      deposit_rejection: null,
      deposit_return: null,
      deposit_submission: null,
      description: body.optional("description"),
      front_image_file_id: body.text("front_image_file_id", 100),
      idempotency_key: key,
      inbound_funds_hold: null,
      inbound_mail_item_id: null,
      lockbox_recipient_id: null,
      status: "pending",
      transaction_id: null,
      type: "check_deposit",
    };
    this.#world.emit("check_deposit.created", check);
    return check;
  }

  submitCheck(id: string): Increase.CheckDeposit {
    const check = found(this.checks, id);
    if (check.status !== "pending") throw notNow("The check is not pending.");
    const at = this.#world.now.toISOString();
    const acceptance: Increase.CheckDeposit.DepositAcceptance = {
      account_number: PAYER_ACCOUNT_NUMBER,
      amount: check.amount,
      auxiliary_on_us: null,
      check_deposit_id: check.id,
      currency: "USD",
      routing_number: PAYER_ROUTING_NUMBER,
      serial_number: null,
    };
    const releasesOn = addBankingDays(bankingDateOf(this.#world.now), CHECK_HOLD_DAYS);
    check.status = "submitted";
    check.deposit_acceptance = acceptance;
    check.deposit_submission = {
      back_file_id: check.back_image_file_id ?? "",
      front_file_id: check.front_image_file_id,
      submitted_at: at,
    };
    check.transaction_id = this.#world.book(check.account_id, check.amount, "Check deposit", {
      category: "check_deposit_acceptance",
      check_deposit_acceptance: acceptance,
    });
    check.inbound_funds_hold = {
      amount: check.amount,
      automatically_releases_at: bankingInstant(releasesOn, "08:30").toISOString(),
      created_at: at,
      currency: "USD",
      held_transaction_id: check.transaction_id,
      pending_transaction_id: null,
      released_at: null,
      status: "held",
      type: "inbound_funds_hold",
    };
    this.#world.emit("check_deposit.updated", check);
    return check;
  }

  returnCheck(id: string): Increase.CheckDeposit {
    const check = found(this.checks, id);
    if (check.status !== "submitted") throw notNow("The check is not submitted.");
    const returned = {
      amount: check.amount,
      check_deposit_id: check.id,
      currency: "USD" as const,
      return_reason: "insufficient_funds" as const,
      returned_at: this.#world.now.toISOString(),
    };
    const transactionId = this.#world.book(check.account_id, -check.amount, "Check return", {
      category: "check_deposit_return",
      check_deposit_return: { ...returned, transaction_id: check.transaction_id ?? "" },
    });
    check.status = "returned";
    check.deposit_return = { ...returned, transaction_id: transactionId };
    if (check.inbound_funds_hold?.status === "held") {
      check.inbound_funds_hold.status = "complete";
      check.inbound_funds_hold.released_at = returned.returned_at;
    }
    this.#world.emit("check_deposit.updated", check);
    return check;
  }

  #received(body: Body): { number: Increase.AccountNumber; amount: number; at: string } {
    const number = found(this.#world.numbers, body.text("account_number_id", 100));
    const amount = body.integer("amount");
    if (amount <= 0) throw invalid("amount must be positive.");
    return { number, amount, at: this.#world.now.toISOString() };
  }

  #parties(body: Body, id: string) {
    return {
      creditor_name: "Sample receiver",
      debtor_account_number: PAYER_ACCOUNT_NUMBER,
      debtor_name: body.optional("debtor_name") ?? "Sample sender",
      debtor_routing_number: PAYER_ROUTING_NUMBER,
      transaction_identification: id,
      unstructured_remittance_information: null,
    };
  }
}

const notNow = (detail: string) => new Refused(409, "invalid_operation_error", detail);
