import Increase from "increase";
import type { Pool } from "pg";
import type { BankCapabilities } from "@/lib/contract/bank-capabilities";
import type { Clock } from "@/lib/platform/clock";
import { type ArrivedAnswer, askBank } from "@/lib/ports/bank/ask-bank";
import {
  type BankAccount,
  type BankAccountRequest,
  BankOrderConflict,
  type BankPort,
  BankRefusesAccount,
  BankUnavailable,
  MAX_NOTICES,
  MAX_STATEMENT_LINES,
  type OwnAccountMove,
  type OwnAccountRequest,
} from "@/lib/ports/bank/bank-port";
import { acknowledgeNotices, collectThen, listNotices, listOrganizations } from "@/lib/ports/bank/inbox";
import { IncreaseAccounts, type IncreaseOwner } from "@/lib/ports/bank/increase/accounts";
import { ascii } from "@/lib/ports/bank/increase/ascii";
import { createOnce } from "@/lib/ports/bank/increase/create-once";
import { isInvalid, reached, wordsOf } from "@/lib/ports/bank/increase/errors";
import { createCollect } from "@/lib/ports/bank/increase/events";
import { CUT_OFF_TIME, findOrder, submitOrder } from "@/lib/ports/bank/increase/orders";
import { readStatement } from "@/lib/ports/bank/increase/statement";
import { isBankAmount } from "@/lib/ports/bank/keepable";
import { RetryAfter } from "@/lib/ports/bank/retry-after";
import { setNoticeAside } from "@/lib/ports/bank/unapplied";

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
  /** Of the accounts that are opened; null: the group has one of them. */
  programId?: string | null;
  entityId?: string | null;
  /** For tests: how long an answer is waited for. */
  timeoutMs?: number;
}

/**
 * Increase (https://increase.com) as the bank: one account per organization, of which pods are shares unless they have an
 * account of their own, and one account number per income source. Every object that Sluice creates carries an idempotency key that names what it belongs to,
 * so nothing but the ids of its accounts and the inbox of notices is stored here. Events only say where to look; what
 * happened is read from the object.
 */
export function createIncreaseBank(pool: Pool, setting: IncreaseSetting, clock?: Clock): BankPort {
  const rest = new RetryAfter("Increase", clock);
  const client = new Increase({
    apiKey: setting.apiKey,
    ...(setting.baseUrl === null ? { environment: setting.environment } : { baseURL: setting.baseUrl }),
    // The product retries, after it has asked what became of a request.
    maxRetries: 0,
    logLevel: "off",
    fetch: async (url, init = {}) => {
      rest.assertMayAsk();
      const answer = await askBank("Increase", url, init, setting.timeoutMs);
      rest.note(answer.response);
      return understood(url, answer);
    },
  });
  const owner: IncreaseOwner = { programId: setting.programId ?? null, entityId: setting.entityId ?? null };
  const accounts = new IncreaseAccounts(client, pool, owner);
  const collect = createCollect(client, pool);
  const allAccounts = async (organizationId: string, podIds: readonly string[] = []) => {
    const ids = [await accounts.ofOrganization(organizationId)];
    for (const podId of podIds) {
      ids.push(await accounts.ofPod({ organizationId, podId, name: "Pod" }));
    }
    return ids;
  };
  return {
    isSandbox: setting.environment === "sandbox",
    name: "Increase",
    capabilities: CAPABILITIES,
    noticeIntervalMs: 1_000,
    verify: () => reached(() => accounts.verify()),
    openAccount: (input) => reached(() => openAccount(client, accounts, input)),
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
          if (isInvalid(error) || error instanceof Increase.InvalidOperationError) {
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
      return await reached(() => submitOrder({ client, accounts }, order));
    },
    find: (input) => reached(() => findOrder({ client, accounts }, input)),
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
          const balance = await readBalance(client, account);
          sum.currentInCents += balance.current_balance;
          sum.availableInCents += balance.available_balance;
        }
        return sum;
      }),
    ownAccounts: {
      open: (input) =>
        reached(async () => {
          await accounts.ofPod(input);
        }),
      balanceInCents: (input) =>
        reached(async () => {
          const balance = await readBalance(client, await accounts.ofPod(input));
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

/**
 * The SDK reads anything but JSON, and a list without data, as an empty list.
 * @throws BankUnavailable for a success that is not Increase's answer
 */
function understood(url: string | URL | Request, { response, text }: ArrivedAnswer): Response {
  const { status, ok } = response;
  if (!ok) return new Response(text === "" ? null : text, response);
  const body = objectOf(text);
  // Only lists are asked for with a query.
  const isList = new URL(url instanceof Request ? url.url : url).search !== "";
  if (body === null || (isList && !("data" in body && Array.isArray(body.data)))) {
    throw new BankUnavailable(`Increase's answer is not as documented (${status})`);
  }
  return Response.json(body, { status, headers: response.headers });
}

function objectOf(text: string): object | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && !Array.isArray(body) ? body : null;
  } catch {
    return null;
  }
}

function assertBound(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least || value > MAX_NOTICES) {
    throw new RangeError(`${name} must be from ${least} to ${MAX_NOTICES}, not ${value}`);
  }
}

/** @throws BankUnavailable for anything but whole cents, which would still be added up */
async function readBalance(client: Increase, accountId: string): Promise<Increase.BalanceLookup> {
  const balance = await client.accounts.balance(accountId);
  const isAmount = isBankAmount(balance.current_balance) && isBankAmount(balance.available_balance);
  if (!isAmount) throw new BankUnavailable("Increase's answer is not as documented: a balance");
  return balance;
}

/** One account number per income source, on which nobody draws. */
async function openAccount(
  client: Increase,
  accounts: IncreaseAccounts,
  input: BankAccountRequest,
): Promise<BankAccount> {
  try {
    const accountId = await accounts.ofOrganization(input.organizationId);
    const number = await createOnce(
      () =>
        client.accountNumbers.create(
          {
            account_id: accountId,
            name: ascii(input.name, 200, "Income"),
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
  } catch (error) {
    if (!isInvalid(error) && !(error instanceof Increase.InvalidOperationError)) throw error;
    throw new BankRefusesAccount(`Increase opens no account: ${wordsOf(error) ?? "it gave no reason"}`);
  }
}

async function moveToOwnAccount(
  client: Increase,
  accounts: IncreaseAccounts,
  input: OwnAccountRequest & OwnAccountMove,
): Promise<"DONE" | "REFUSED"> {
  const { moveId, amountInCents } = input;
  if (!Number.isSafeInteger(amountInCents) || amountInCents === 0) {
    throw new RangeError(`amountInCents must be a safe integer other than 0, not ${amountInCents}`);
  }
  const shared = await accounts.ofOrganization(input.organizationId);
  const own = await accounts.ofPod(input);
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
