import { createHash } from "node:crypto";
import type { Pool } from "pg";
import {
  type BankAccount,
  type BankAccountRequest,
  type BankNotice,
  BankOrderConflict,
  type BankOrderState,
  type BankPort,
  BankUnavailable,
  MAX_NOTICES,
} from "@/lib/ports/bank/bank-port";
import { readSilence } from "@/lib/ports/bank/sandbox/sandbox-bank-driver";
import { submitOrder } from "@/lib/ports/bank/sandbox/submit-order";
import { acknowledgeNotices, listDueOrganizations } from "@/lib/ports/sandbox-notices";

const SANDBOX_INSTITUTION = "Sandbox bank";

/** A routing number that no bank has: sandbox money must not look as if it could be sent anywhere. */
const ROUTING_NUMBER = "000000000";

const ACCOUNT_NUMBER_DIGITS = 12n;

/**
 * A bank that answers like a real one and moves no real money (docs/sandbox-bank.md). It keeps its own tables and takes
 * a pool, never a client, so that it cannot join a transaction of the product: a rollback there must not make a bank
 * forget.
 */
export function createSandboxBank(pool: Pool): BankPort {
  return {
    isSandbox: true,
    name: SANDBOX_INSTITUTION,
    openAccount: async (input) => await answered(pool, input, async () => openAccount(input)),
    submit: async (order, { businessNow }) => {
      if (!Number.isSafeInteger(order.amountInCents) || order.amountInCents <= 0) {
        throw new RangeError(`amountInCents must be a positive safe integer, not ${order.amountInCents}`);
      }
      const requester = { organizationId: order.organizationId, businessNow };
      return await answered(pool, requester, () => submitOrder(pool, order, businessNow));
    },
    find: async (input) => await answered(pool, input, () => findOrder(pool, input)),
    notices: async (input) => {
      assertBound("limit", input.limit, 1);
      return await answered(pool, input, () => listNotices(pool, input));
    },
    acknowledge: async (input) => {
      assertBound("noticeReferences", input.noticeReferences.length, 0);
      await answered(pool, input, () => acknowledgeNotices(pool, "sandbox_bank_notices", input));
    },
    organizationsWithNotices: async (input) => {
      assertBound("limit", input.limit, 1);
      return await reached(() => listDueOrganizations(pool, "sandbox_bank_notices", input));
    },
  };
}

/** The answer to one organization, unless a member has simulated an outage for it. */
async function answered<T>(
  pool: Pool,
  requester: { organizationId: string; businessNow: Date },
  ask: () => Promise<T>,
): Promise<T> {
  return await reached(async () => {
    if (await readSilence(pool, requester)) throw new BankUnavailable("The sandbox bank does not answer");
    return await ask();
  });
}

/** After a broken connection it is unclear whether the bank recorded anything: the port's unknown outcome. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof BankUnavailable || error instanceof BankOrderConflict) throw error;
    throw new BankUnavailable("The sandbox bank could not be reached", { cause: error });
  }
}

function assertBound(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least || value > MAX_NOTICES) {
    throw new RangeError(`${name} must be from ${least} to ${MAX_NOTICES}, not ${value}`);
  }
}

/** The sandbox derives an account's number from its id, so that it stores nothing and always answers the same. */
function openAccount({ organizationId, accountId }: BankAccountRequest): BankAccount {
  const hash = createHash("sha256").update(`${organizationId} ${accountId}`).digest("hex");
  const accountNumber = String(BigInt(`0x${hash}`) % 10n ** ACCOUNT_NUMBER_DIGITS).padStart(12, "0");
  return {
    institutionName: SANDBOX_INSTITUTION,
    routingNumberLast4: ROUTING_NUMBER.slice(-4),
    accountNumberLast4: accountNumber.slice(-4),
  };
}

interface OrderRow {
  reference: string;
  expected_settlement_at: Date;
  refusal_code: string | null;
  last_kind: "SETTLED" | "RETURNED" | null;
  last_code: string | null;
}

/** An order's state is its latest notice that is due at this business time; see BankPort.find. */
async function findOrder(
  pool: Pool,
  input: { organizationId: string; transferId: string; businessNow: Date },
): Promise<BankOrderState | null> {
  const { rows } = await pool.query<OrderRow>({
    name: "sandbox_bank_find_order",
    text: `select o.reference, o.expected_settlement_at, o.refusal_code,
                  latest.kind as last_kind, latest.code as last_code
             from sandbox_bank_orders o
             left join lateral (
               select n.kind, n.code
                 from sandbox_bank_notices n
                where n.organization_id = o.organization_id and n.transfer_id = o.transfer_id and n.due_at <= $3
                order by n.due_at desc
                limit 1) latest on true
            where o.organization_id = $1 and o.transfer_id = $2`,
    values: [input.organizationId, input.transferId, input.businessNow],
  });
  const row = rows[0];
  if (!row) return null;
  const { reference, expected_settlement_at: expectedSettlementAt } = row;
  if (row.refusal_code !== null) {
    return { reference, state: "REFUSED", expectedSettlementAt, code: row.refusal_code };
  }
  return { reference, state: row.last_kind ?? "PENDING", expectedSettlementAt, code: row.last_code };
}

interface NoticeRow {
  notice_reference: string;
  kind: BankNotice["kind"];
  code: string | null;
  due_at: Date;
  transfer_id: string | null;
  deposit_reference: string | null;
  account_id: string | null;
  amount_in_cents: number | null;
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT" | null;
  payer_name: string | null;
}

/** Reads `sandbox_bank_notices_undelivered` in its order and stops at `limit`; see BankPort.notices. */
async function listNotices(
  pool: Pool,
  input: { organizationId: string; businessNow: Date; limit: number },
): Promise<BankNotice[]> {
  const { rows } = await pool.query<NoticeRow>({
    name: "sandbox_bank_list_notices",
    text: `select n.notice_reference, n.kind, n.code, n.due_at, n.transfer_id, n.deposit_reference,
                  d.account_id, d.amount_in_cents, d.origin, d.payer_name
             from sandbox_bank_notices n
             left join sandbox_bank_deposits d
               on d.organization_id = n.organization_id and d.reference = n.deposit_reference
            where n.organization_id = $1 and n.deliveries_left > 0 and n.due_at <= $2
            order by n.due_at, n.notice_reference
            limit $3`,
    values: [input.organizationId, input.businessNow, input.limit],
  });
  return rows.map((row) => toNotice(input.organizationId, row));
}

function toNotice(organizationId: string, row: NoticeRow): BankNotice {
  const common = { noticeReference: row.notice_reference, organizationId, occurredAt: row.due_at };
  if (row.kind === "SETTLED" || row.kind === "RETURNED") {
    return { ...common, kind: row.kind, transferId: known(row.transfer_id), code: row.code };
  }
  const depositReference = known(row.deposit_reference);
  if (row.kind === "DEPOSIT_RETURNED") {
    return { ...common, kind: row.kind, depositReference, code: known(row.code) };
  }
  return {
    ...common,
    kind: row.kind,
    depositReference,
    accountId: known(row.account_id),
    amountInCents: known(row.amount_in_cents),
    origin: known(row.origin),
    payerName: known(row.payer_name),
  };
}

function known<T>(value: T | null): T {
  if (value === null) throw new Error("Sandbox bank: a notice lacks what its kind has");
  return value;
}
