import type { Pool } from "pg";
import type { BankCapabilities } from "@/lib/contract/bank-capabilities";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Clock } from "@/lib/platform/clock";
import { readAdoption, receiveOn, TAKEN } from "@/lib/ports/bank/adoption";
import {
  type BankAccount,
  type BankAccountRequest,
  type BankNotice,
  BankOrderConflict,
  type BankPort,
  BankRefusesAccount,
  BankRefusesKey,
  BankUnavailable,
  MAX_NOTICES,
  MAX_STATEMENT_LINES,
  type RegisteredOutsideAccount,
} from "@/lib/ports/bank/bank-port";
import {
  acknowledgeNotices,
  collectThen,
  keepNotices,
  listNotices,
  listOrganizations,
} from "@/lib/ports/bank/inbox";
import { adoptAccount, feedOf } from "@/lib/ports/bank/mercury/adopt-account";
import {
  accountSchema,
  createCallMercury,
  type Mercury,
  type MercurySetting,
  read,
} from "@/lib/ports/bank/mercury/call-mercury";
import { collectNotices } from "@/lib/ports/bank/mercury/collect";
import { type Postings, readPostings } from "@/lib/ports/bank/mercury/lists";
import { findOrder, submitOrder } from "@/lib/ports/bank/mercury/orders";
import { registerRecipient } from "@/lib/ports/bank/mercury/recipients";
import { openingReference, readStatement } from "@/lib/ports/bank/mercury/statement";
import { setNoticeAside } from "@/lib/ports/bank/unapplied";
import { setAside, Unreadable } from "@/lib/ports/bank/unread";

/** Mercury publishes no rate limit, and a webhook wakes the next look. */
const NOTICE_INTERVAL_MS = 5_000;
/** How far back a posting may lie that the opening balance is compared with. */
const RECENT_MS = 30 * 86_400_000;

const capabilitiesOf = ({ accountId, send }: MercurySetting): BankCapabilities => ({
  push: true,
  pull: false,
  // Mercury names no cut-off.
  rails: [{ rail: "ACH", lastCutOffTime: null }],
  deposits: ["ACH", "WIRE", "CHECK", "BOOK"],
  cancelWindowMs: 60_000,
  requiresRegistration: true,
  requiresAddress: true,
  onlyAccount: accountId,
  ownAccounts: false,
  approvesPayments: send === "REQUEST",
});

/**
 * Mercury (https://mercury.com) as the bank: one account that exists already, of which pods are shares. It belongs to
 * the first organization that needs it. Payments go out as requests that a person approves at Mercury, unless the
 * operator chose to send directly. Events only say where to look; what happened is read from the object.
 *
 * Amounts are dollars as JSON numbers there; they are read and written as text, never as floats.
 */
export function createMercuryBank(pool: Pool, setting: MercurySetting, clock?: Clock): BankPort {
  const mercury: Mercury = { pool, setting, call: createCallMercury(setting, clock) };
  const registering = new Map<string, Promise<RegisteredOutsideAccount>>();
  return {
    isSandbox: setting.environment === "sandbox",
    name: "Mercury",
    noticeIntervalMs: NOTICE_INTERVAL_MS,
    capabilities: capabilitiesOf(setting),
    ownAccounts: null,
    verify: () => reached(() => verify(mercury)),
    openAccount: (input) => reached(() => openAccount(mercury, input)),
    registerOutsideAccount: async (input) => {
      const key = `${input.organizationId}:${input.outsideAccountId}`;
      const underWay = registering.get(key);
      if (underWay) return await underWay;
      const registration = reached(async () => {
        if (!(await adoptAccount(mercury, input.organizationId))) throw new BankRefusesAccount(TAKEN);
        return await registerRecipient(mercury, input);
      }).finally(() => registering.delete(key));
      registering.set(key, registration);
      return await registration;
    },
    submit: async (order, { businessNow }) => {
      if (!Number.isSafeInteger(order.amountInCents) || order.amountInCents <= 0) {
        throw new RangeError(`amountInCents must be a positive safe integer, not ${order.amountInCents}`);
      }
      return await reached(() => submitOrder(mercury, order, businessNow));
    },
    find: (input) => reached(() => findOrder(mercury, input)),
    notices: async (input) => {
      assertBound("limit", input.limit, 1);
      return await reached(() =>
        collectThen(
          () => collectNotices(mercury, input.businessNow),
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
          () => collectNotices(mercury, input.realNow),
          () => listOrganizations(pool, input),
        ),
      );
    },
    balance: (input) =>
      reached(async () => {
        if (!(await isOf(mercury, input.organizationId))) {
          return { currentInCents: 0, availableInCents: 0, asOf: input.businessNow };
        }
        const { currentBalance, availableBalance } = await readAccount(mercury);
        return {
          currentInCents: currentBalance,
          availableInCents: availableBalance,
          asOf: input.businessNow,
        };
      }),
    statement: async (input) => {
      if (!Number.isInteger(input.limit) || input.limit < 1 || input.limit > MAX_STATEMENT_LINES) {
        throw new RangeError(`limit must be from 1 to ${MAX_STATEMENT_LINES}, not ${input.limit}`);
      }
      return await reached(async () => {
        const adoption = await readAdoption(pool, setting.accountId);
        return adoption?.organizationId === input.organizationId
          ? await readStatement(mercury, adoption, input)
          : { lines: [], nextCursor: null };
      });
    },
  };
}

/** Whatever kept an answer from us leaves the outcome unknown. A bad token too: no transfer may fail because of it. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isOfPort =
      error instanceof BankUnavailable ||
      error instanceof BankOrderConflict ||
      error instanceof BankRefusesAccount ||
      error instanceof RangeError;
    if (isOfPort) throw error;
    throw new BankUnavailable("Mercury's answer could not be kept", { cause: error });
  }
}

function assertBound(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least || value > MAX_NOTICES) {
    throw new RangeError(`${name} must be from ${least} to ${MAX_NOTICES}, not ${value}`);
  }
}

async function isOf({ pool, setting }: Mercury, organizationId: string): Promise<boolean> {
  const adoption = await readAdoption(pool, setting.accountId);
  return adoption?.organizationId === organizationId;
}

async function verify({ call, setting }: Mercury): Promise<void> {
  const answer = await call({ method: "GET", path: `/account/${setting.accountId}` });
  if (answer.status === 200) {
    read(accountSchema, answer);
    return;
  }
  throw new BankRefusesKey(
    `MERCURY_API_TOKEN does not know the account of MERCURY_ACCOUNT_ID (${answer.status}): take its id from GET /accounts with this token; it is not the account number.`,
  );
}

async function readAccount({ call, setting }: Mercury) {
  return read(accountSchema, await call({ method: "GET", path: `/account/${setting.accountId}` }));
}

/**
 * Mercury has one number, which the organization's income source gets. What the account already held is its first
 * deposit; what is posted later comes through events.
 */
async function openAccount(mercury: Mercury, input: BankAccountRequest): Promise<BankAccount> {
  const { organizationId, accountId } = input;
  const { pool, setting } = mercury;
  if (!(await adoptAccount(mercury, organizationId))) throw new BankRefusesAccount(TAKEN);
  const before = await readAdoption(pool, setting.accountId);
  const account = await readAccount(mercury);
  if (before?.incomeAccountId !== accountId) {
    const { currentBalance } = account;
    const isFirst = !before?.depositsAfter;
    const { latest: depositsAfter, unreadable } = isFirst
      ? await readBaseline(mercury, currentBalance, input.businessNow)
      : { latest: input.businessNow, unreadable: [] };
    const opening = isFirst && currentBalance > 0 ? [openingDeposit(mercury, input, currentBalance)] : [];
    await inTransaction(pool, async (client) => {
      await keepNotices(client, { feed: feedOf(setting), events: [] }, opening);
      const incomeAccountId = accountId;
      await receiveOn(client, {
        bankAccount: setting.accountId,
        organizationId,
        incomeAccountId,
        depositsAfter,
        openingInCents: currentBalance,
        openingIncludes: unreadable.filter(({ isPending }) => !isPending).map(({ id }) => id),
        openedAt: input.businessNow,
      });
      await setPostingsAside(client, mercury, { organizationId, unreadable, now: input.businessNow });
    });
  }
  return {
    institutionName: "Mercury",
    routingNumberLast4: account.routingNumber.slice(-4),
    accountNumberLast4: account.accountNumber.slice(-4),
  };
}

/** Looked at again until they can be read: then each is a deposit, or part of the opening balance. */
async function setPostingsAside(
  database: Queryable,
  { setting }: Mercury,
  input: { organizationId: string; unreadable: Postings["unreadable"]; now: Date },
): Promise<void> {
  const { organizationId, unreadable, now } = input;
  for (const { id } of unreadable) {
    const subject = { about: id, eventId: null, eventAt: now };
    const error = new Unreadable("postedAt is not as documented", organizationId);
    await setAside(database, feedOf(setting), subject, error, { now });
  }
}

function openingDeposit(
  { setting }: Mercury,
  { organizationId, accountId, businessNow }: BankAccountRequest,
  amountInCents: number,
): BankNotice {
  const reference = openingReference(setting.accountId);
  return {
    kind: "DEPOSITED",
    organizationId,
    noticeReference: reference,
    occurredAt: businessNow,
    depositReference: reference,
    accountId,
    amountInCents,
    rail: "BOOK",
    payerName: "Balance at Mercury",
  };
}

/**
 * The latest posting that the balance includes, on Mercury's clock, and those whose time cannot be read. If anything was
 * posted while it was read, the balance may or may not include it.
 * @throws BankUnavailable then: ask again
 */
async function readBaseline(
  mercury: Mercury,
  balanceInCents: number,
  now: Date,
): Promise<Postings & { latest: Date }> {
  const since = new Date(now.getTime() - RECENT_MS);
  const { latest, unreadable } = await readPostings(mercury, since);
  const { currentBalance } = await readAccount(mercury);
  if (currentBalance !== balanceInCents) {
    throw new BankUnavailable("Mercury's balance changed while it was read");
  }
  return { latest: latest ?? since, unreadable };
}
