import Increase from "increase";
import type { Pool } from "pg";
import type { BankCapabilities } from "@/lib/contract/bank-capabilities";
import { addBankingDays, bankingDateOf, bankingInstant, bankingTimeOf } from "@/lib/contract/banking-days";
import {
  type BankAnswer,
  type BankOrder,
  BankOrderConflict,
  type BankOrderState,
  type BankPort,
  BankRefusesAccount,
  BankUnavailable,
  MAX_NOTICES,
  MAX_STATEMENT_LINES,
  type OwnAccountMove,
  type OwnAccountRequest,
} from "@/lib/ports/bank/bank-port";
import { acknowledgeNotices, collectThen, listNotices, listOrganizations } from "@/lib/ports/bank/inbox";
import { createOnce } from "@/lib/ports/bank/increase/create-once";
import { createCollect } from "@/lib/ports/bank/increase/events";
import { readStatement } from "@/lib/ports/bank/increase/statement";
import { setNoticeAside } from "@/lib/ports/bank/unapplied";

/** Longer than any answer takes, and well below the lease of an order. */
const TIMEOUT_MS = 20_000;
/** Increase hands its last file of a day to the Federal Reserve at about this time, New York. */
const CUT_OFF_TIME = "16:45";
const POSTING_TIME = "08:30";

const CAPABILITIES: BankCapabilities = {
  push: true,
  pull: true,
  rails: [{ rail: "ACH", lastCutOffTime: CUT_OFF_TIME }],
  deposits: ["ACH", "WIRE", "INSTANT", "CHECK"],
  cancelWindowMs: 60_000,
  requiresRegistration: true,
  requiresAddress: false,
  onlyAccount: null,
  ownAccounts: true,
  approvesPayments: false,
};

export interface IncreaseSetting {
  apiKey: string;
  /** In the sandbox, Increase moves no real money. */
  environment: "sandbox" | "production";
  /** An emulator's address. Null: Increase's own. */
  baseUrl: string | null;
}

/**
 * Increase (https://increase.com) as the bank: one account per organization, of which pods are shares unless they have an
 * account of their own, and one account number per income source. Every object that Sluice creates carries an idempotency key that names what it belongs to,
 * so nothing but the inbox of notices is stored here. Events only say where to look; what happened is read from the
 * object.
 */
export function createIncreaseBank(pool: Pool, setting: IncreaseSetting): BankPort {
  const client = new Increase({
    apiKey: setting.apiKey,
    ...(setting.baseUrl === null ? { environment: setting.environment } : { baseURL: setting.baseUrl }),
    timeout: TIMEOUT_MS,
    // The product retries, after it has asked what became of a request.
    maxRetries: 0,
    logLevel: "off",
  });
  const collect = createCollect(client, pool);
  const accounts = new Map<string, string>();
  const allAccounts = async (organizationId: string, podIds: readonly string[] = []) => {
    const ids = [await accountOf(client, accounts, organizationId)];
    for (const podId of podIds) {
      ids.push(await ownAccountOf(client, accounts, { organizationId, podId, name: "Pod" }));
    }
    return ids;
  };
  return {
    isSandbox: setting.environment === "sandbox",
    name: "Increase",
    capabilities: CAPABILITIES,
    noticeIntervalMs: 1_000,
    openAccount: (input) =>
      reached(async () => {
        const accountId = await accountOf(client, accounts, input.organizationId);
        const number = await createOnce(
          () =>
            client.accountNumbers.create(
              {
                account_id: accountId,
                name: ascii(input.name, 200, "Income"),
                // Money comes in on this number; nobody draws any out with it.
                inbound_ach: { debit_status: "blocked" },
              },
              { idempotencyKey: `sluice-number:${input.organizationId}:${input.accountId}` },
            ),
          (id) => client.accountNumbers.retrieve(id),
        );
        return {
          institutionName: "Increase",
          routingNumberLast4: number.routing_number.slice(-4),
          accountNumberLast4: number.account_number.slice(-4),
        };
      }),
    registerOutsideAccount: (input) =>
      reached(async () => {
        const registered = await createOnce(
          () =>
            client.externalAccounts.create(
              {
                description: ascii(input.holderName, 200, "Outside account"),
                routing_number: input.routingNumber,
                account_number: input.accountNumber,
                account_holder: input.holderKind === "BUSINESS" ? "business" : "individual",
                funding: input.accountKind === "CHECKING" ? "checking" : "savings",
              },
              { idempotencyKey: `sluice-outside:${input.organizationId}:${input.outsideAccountId}` },
            ),
          (id) => client.externalAccounts.retrieve(id),
        ).catch((error: unknown) => {
          // Without the cause: Increase's answer may repeat the numbers, and errors are logged.
          if (isInvalid(error)) {
            throw new BankRefusesAccount("The bank does not accept these numbers. Check both of them.");
          }
          throw error;
        });
        return {
          bankReference: registered.id,
          routingNumberLast4: registered.routing_number.slice(-4),
          accountNumberLast4: registered.account_number.slice(-4),
        };
      }),
    submit: async (order) => {
      if (!Number.isSafeInteger(order.amountInCents) || order.amountInCents <= 0) {
        throw new RangeError(`amountInCents must be a positive safe integer, not ${order.amountInCents}`);
      }
      return await reached(async () => submit(client, accounts, order));
    },
    find: (input) =>
      reached(async () => {
        const transfer = await findTransfer(client, accounts, input.organizationId, input.transferId);
        return transfer && toState(transfer);
      }),
    notices: async (input) => {
      assertBound("limit", input.limit, 1);
      return await reached(() =>
        collectThen(
          () => collect(input.businessNow),
          () => listNotices(pool, input),
        ),
      );
    },
    acknowledge: async (input) => {
      assertBound("noticeReferences", input.noticeReferences.length, 0);
      await reached(() => acknowledgeNotices(pool, input));
    },
    setAside: (input) => reached(() => setNoticeAside(pool, input)),
    organizationsWithNotices: async (input) => {
      assertBound("limit", input.limit, 1);
      return await reached(() =>
        collectThen(
          () => collect(input.realNow),
          () => listOrganizations(pool, input),
        ),
      );
    },
    balance: (input) =>
      reached(async () => {
        const sum = { currentInCents: 0, availableInCents: 0, asOf: input.businessNow };
        for (const account of await allAccounts(input.organizationId, input.podIds)) {
          const balance = await client.accounts.balance(account);
          sum.currentInCents += balance.current_balance;
          sum.availableInCents += balance.available_balance;
        }
        return sum;
      }),
    ownAccounts: {
      open: (input) =>
        reached(async () => {
          await ownAccountOf(client, accounts, input);
        }),
      balanceInCents: (input) =>
        reached(async () => {
          const balance = await client.accounts.balance(await ownAccountOf(client, accounts, input));
          return balance.current_balance;
        }),
      move: (input) => reached(() => moveToOwnAccount(client, accounts, input)),
    },
    statement: async (input) => {
      if (!Number.isInteger(input.limit) || input.limit < 1 || input.limit > MAX_STATEMENT_LINES) {
        throw new RangeError(`limit must be from 1 to ${MAX_STATEMENT_LINES}, not ${input.limit}`);
      }
      const { organizationId, podIds } = input;
      return await reached(async () => {
        const accountIds = await allAccounts(organizationId, podIds);
        return await readStatement({ client, pool, organizationId, accountIds }, input);
      });
    },
  };
}

/** Whatever kept an answer from us leaves the outcome unknown. A bad key too: no transfer may fail because of it. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (
      error instanceof BankUnavailable ||
      error instanceof BankOrderConflict ||
      error instanceof BankRefusesAccount ||
      error instanceof RangeError
    ) {
      throw error;
    }
    const status = error instanceof Increase.APIError ? (error.status ?? "no answer") : "no answer";
    throw new BankUnavailable(`Increase could not be reached (${status})`, { cause: redacted(error) });
  }
}

/** Answers may hold account numbers, so only their kind is kept. */
function redacted(error: unknown): unknown {
  return error instanceof Increase.APIError && error.status !== undefined
    ? new Error(`${error.name}: ${error.status}`)
    : error;
}

function assertBound(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least || value > MAX_NOTICES) {
    throw new RangeError(`${name} must be from ${least} to ${MAX_NOTICES}, not ${value}`);
  }
}

const isInvalid = (error: unknown) =>
  error instanceof Increase.APIError && (error.status === 400 || error.status === 422);

/** The organization's account; created on first need, adopted if this database forgot it. */
async function accountOf(
  client: Increase,
  known: Map<string, string>,
  organizationId: string,
): Promise<string> {
  const before = known.get(organizationId);
  if (before !== undefined) return before;
  const idempotencyKey = `sluice-account:${organizationId}`;
  const account = await createOnce(
    () => client.accounts.create({ name: `Sluice ${organizationId}` }, { idempotencyKey }),
    (id) => client.accounts.retrieve(id),
  );
  known.set(organizationId, account.id);
  return account.id;
}

/** The account of a pod. Its key differs from that of an organization, so no deposit or order is taken to be on it. */
async function ownAccountOf(
  client: Increase,
  known: Map<string, string>,
  { organizationId, podId, name }: OwnAccountRequest,
): Promise<string> {
  const key = `${organizationId}:${podId}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const account = await createOnce(
    () =>
      client.accounts.create(
        { name: ascii(`Sluice ${organizationId} ${name}`, 200, key) },
        { idempotencyKey: `sluice-account:${key}` },
      ),
    (id) => client.accounts.retrieve(id),
  );
  known.set(key, account.id);
  return account.id;
}

async function moveToOwnAccount(
  client: Increase,
  accounts: Map<string, string>,
  input: OwnAccountRequest & OwnAccountMove,
): Promise<"DONE" | "REFUSED"> {
  const { moveId, amountInCents } = input;
  if (!Number.isSafeInteger(amountInCents) || amountInCents === 0) {
    throw new RangeError(`amountInCents must be a safe integer other than 0, not ${amountInCents}`);
  }
  const shared = await accountOf(client, accounts, input.organizationId);
  const own = await ownAccountOf(client, accounts, input);
  const [from, to] = amountInCents > 0 ? [shared, own] : [own, shared];
  const amount = Math.abs(amountInCents);
  // Asked first: the answer to an earlier attempt may have been lost.
  const [sent] = (await client.accountTransfers.list({ idempotency_key: moveId, limit: 1 })).data;
  try {
    const move =
      sent ??
      (await createOnce(
        () =>
          client.accountTransfers.create(
            {
              account_id: from,
              destination_account_id: to,
              amount,
              description: ascii(`Sluice: ${input.name}`, 200, "Sluice"),
            },
            { idempotencyKey: moveId },
          ),
        (id) => client.accountTransfers.retrieve(id),
      ));
    const isSame = move.account_id === from && move.destination_account_id === to && move.amount === amount;
    if (!isSame) throw new BankOrderConflict(moveId);
    if (move.status === "complete") return "DONE";
    if (move.status === "canceled") return "REFUSED";
    throw new BankUnavailable("The move between two accounts waits for an approval at Increase");
  } catch (error) {
    if (error instanceof Increase.InvalidOperationError || isInvalid(error)) return "REFUSED";
    throw error;
  }
}

async function findTransfer(
  client: Increase,
  accounts: Map<string, string>,
  organizationId: string,
  transferId: string,
): Promise<Increase.ACHTransfer | null> {
  const page = await client.achTransfers.list({ idempotency_key: transferId, limit: 1 });
  const [transfer] = page.data;
  if (!transfer) return null;
  const account = await accountOf(client, accounts, organizationId);
  return transfer.account_id === account ? transfer : null;
}

async function submit(
  client: Increase,
  accounts: Map<string, string>,
  order: BankOrder,
): Promise<BankAnswer> {
  const { bankReference } = order.outsideAccount;
  if (bankReference === null) {
    return { kind: "REFUSED", code: "R03", message: "The outside account is not registered at the bank" };
  }
  const account = await accountOf(client, accounts, order.organizationId);
  const amount = order.direction === "CREDIT" ? order.amountInCents : -order.amountInCents;
  try {
    const outside = await client.externalAccounts.retrieve(bankReference);
    const transfer = await createOnce(
      () =>
        client.achTransfers.create(
          {
            account_id: account,
            external_account_id: bankReference,
            amount,
            statement_descriptor: ascii(order.label ?? "", 200, "Transfer"),
            individual_name: ascii(order.outsideAccount.name, 22, "Account holder"),
            // NACHA: entries to consumers have a class of their own.
            standard_entry_class_code:
              outside.account_holder === "individual"
                ? "prearranged_payments_and_deposit"
                : "corporate_credit_or_debit",
            preferred_effective_date: { settlement_schedule: "future_dated" },
            ...(order.label ? { company_entry_description: ascii(order.label, 10, "Transfer") } : {}),
          },
          { idempotencyKey: order.transferId },
        ),
      (id) => client.achTransfers.retrieve(id),
    );
    const isSame =
      transfer.account_id === account &&
      transfer.amount === amount &&
      transfer.external_account_id === bankReference;
    if (!isSame) throw new BankOrderConflict(order.transferId);
    return toAnswer(transfer);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) return refusal;
    throw error;
  }
}

/** Answers by which Increase took nothing. Everything else is unknown. */
function refusalOf(error: unknown): BankAnswer | null {
  if (error instanceof Increase.InvalidOperationError) {
    return { kind: "REFUSED", code: "R01", message: "The bank does not allow this transfer now" };
  }
  if (isInvalid(error)) {
    return { kind: "REFUSED", code: "R17", message: "The bank does not accept the details of this transfer" };
  }
  if (error instanceof Increase.NotFoundError) {
    return { kind: "REFUSED", code: "R03", message: "The bank does not know the outside account" };
  }
  return null;
}

const isRefused = (transfer: Increase.ACHTransfer) =>
  transfer.status === "rejected" || transfer.status === "canceled";

function toAnswer(transfer: Increase.ACHTransfer): BankAnswer {
  if (isRefused(transfer)) {
    return { kind: "REFUSED", code: "R17", message: `The bank has ${transfer.status} this transfer` };
  }
  const at = expectedSettlementAt(transfer);
  return {
    kind: "ACCEPTED",
    reference: transfer.id,
    expectedSettlementDate: bankingDateOf(at),
    expectedSettlementAt: at,
  };
}

function toState(transfer: Increase.ACHTransfer): BankOrderState {
  const common = { reference: transfer.id, expectedSettlementAt: expectedSettlementAt(transfer) };
  if (transfer.status === "returned") {
    return { ...common, state: "RETURNED", code: transfer.return?.raw_return_reason_code ?? null };
  }
  if (isRefused(transfer)) return { ...common, state: "REFUSED", code: "R17" };
  // Settlement is a field: the status stays `submitted`.
  return { ...common, state: transfer.settlement ? "SETTLED" : "PENDING", code: null };
}

/** As Increase says once it has submitted the order; until then, the next banking day after the cut-off. */
function expectedSettlementAt(transfer: Increase.ACHTransfer): Date {
  if (transfer.submission) return new Date(transfer.submission.expected_funds_settlement_at);
  const createdAt = new Date(transfer.created_at);
  const date = bankingDateOf(createdAt);
  const today = addBankingDays(date, 0);
  const isLate = today === date && bankingTimeOf(createdAt) >= CUT_OFF_TIME;
  return bankingInstant(addBankingDays(today, isLate ? 2 : 1), POSTING_TIME);
}

/** Increase takes printable ASCII. */
function ascii(text: string, length: number, otherwise: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[^ -~]/g, "")
    .trim();
  return plain.slice(0, length).trim() || otherwise;
}
