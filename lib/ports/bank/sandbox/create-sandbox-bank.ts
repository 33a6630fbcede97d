import { createHash } from "node:crypto";
import type { Pool } from "pg";
import type { BankCapabilities } from "@/lib/contract/bank-capabilities";
import { addBankingDays, bankingDateOf, bankingInstant } from "@/lib/contract/banking-days";
import { isRoutingNumber } from "@/lib/contract/payee";
import {
  type BankAccount,
  type BankAccountRequest,
  type BankNotice,
  type BankOrder,
  BankOrderConflict,
  type BankOrderState,
  type BankPort,
  BankRefusesAccount,
  type BankStatementLine,
  type BankStatementPage,
  BankUnavailable,
  type ExpectedOrder,
  MAX_NOTICES,
  MAX_STATEMENT_LINES,
  type OutsideAccountRequest,
  type RegisteredOutsideAccount,
} from "@/lib/ports/bank/bank-port";
import { readSilence } from "@/lib/ports/bank/sandbox/sandbox-bank-driver";
import { CUT_OFF_TIME, submitOrder } from "@/lib/ports/bank/sandbox/submit-order";
import { endUnapplied, setNoticeAside } from "@/lib/ports/bank/unapplied";
import { acknowledgeNotices, isSetAside, listDueOrganizations } from "@/lib/ports/sandbox-notices";

const SANDBOX_INSTITUTION = "Sandbox bank";

/** A routing number that no bank has: sandbox money must not look as if it could be sent anywhere. */
const ROUTING_NUMBER = "000000000";

const ACCOUNT_NUMBER_DIGITS = 12n;

export const SANDBOX_CAPABILITIES: BankCapabilities = {
  push: true,
  pull: true,
  rails: [{ rail: "ACH", lastCutOffTime: CUT_OFF_TIME }],
  deposits: ["ACH", "CHECK"],
  // As next_bank_window.sql says.
  cancelWindowMs: 60_000,
  requiresRegistration: false,
  requiresAddress: false,
  onlyAccount: null,
  ownAccounts: false,
  approvesPayments: false,
};

/**
 * A bank that answers like a real one and moves no real money (docs/sandbox-bank.md). It keeps its own tables and takes
 * a pool, never a client, so that it cannot join a transaction of the product: a rollback there must not make a bank
 * forget.
 */
export function createSandboxBank(pool: Pool): BankPort {
  return {
    isSandbox: true,
    name: SANDBOX_INSTITUTION,
    capabilities: SANDBOX_CAPABILITIES,
    ownAccounts: null,
    noticeIntervalMs: 1_000,
    // It takes no key.
    verify: () => Promise.resolve(),
    openAccount: async (input) => await answered(pool, input, async () => openAccount(input)),
    registerOutsideAccount: async (input) => await reached(() => registerOutsideAccount(pool, input)),
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
      await answered(pool, input, async () => {
        await acknowledgeNotices(pool, "sandbox_bank_notices", input);
        await endUnapplied(pool, input);
      });
    },
    setAside: (input) => answered(pool, input, () => setNoticeAside(pool, input)),
    organizationsWithNotices: async (input) => {
      assertBound("limit", input.limit, 1);
      return await reached(() => listDueOrganizations(pool, "sandbox_bank_notices", input));
    },
    balance: async (input) =>
      await answered(pool, input, async () => {
        const inCents = await sumLines(pool, input);
        return { currentInCents: inCents, availableInCents: inCents, asOf: input.businessNow };
      }),
    statement: async (input) => {
      if (!Number.isInteger(input.limit) || input.limit < 1 || input.limit > MAX_STATEMENT_LINES) {
        throw new RangeError(`limit must be from 1 to ${MAX_STATEMENT_LINES}, not ${input.limit}`);
      }
      return await answered(pool, input, () => listLines(pool, input));
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
    if (
      error instanceof BankUnavailable ||
      error instanceof BankOrderConflict ||
      error instanceof BankRefusesAccount
    ) {
      throw error;
    }
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

/** Keeps four digits, like the product. A repeated call finds the first registration. */
async function registerOutsideAccount(
  pool: Pool,
  input: OutsideAccountRequest,
): Promise<RegisteredOutsideAccount> {
  if (!isRoutingNumber(input.routingNumber)) {
    throw new BankRefusesAccount("No bank has this routing number. Check its nine digits.");
  }
  const { rows } = await pool.query<RegisteredOutsideAccount>({
    name: "sandbox_bank_register_outside_account",
    text: `with registered as (
             insert into sandbox_bank_outside_accounts as known
               (organization_id, outside_account_id, reference, holder_name, routing_number_last4, account_number_last4)
             values ($1, $2, $3, $4, $5, $6)
             -- Returns the row of a concurrent or earlier call, which a plain "do nothing" would hide.
             on conflict (organization_id, outside_account_id) do update set reference = known.reference
             returning *)
           select reference as "bankReference", routing_number_last4 as "routingNumberLast4",
               account_number_last4 as "accountNumberLast4"
             from registered`,
    values: [
      input.organizationId,
      input.outsideAccountId,
      `SBX-OUT-${input.outsideAccountId}`,
      input.holderName,
      input.routingNumber.slice(-4),
      input.accountNumber.slice(-4),
    ],
  });
  if (!rows[0]) throw new Error("Sandbox bank: registering an outside account returned no row");
  return rows[0];
}

interface OrderRow {
  reference: string;
  expectedSettlementAt: Date;
  refusalCode: string | null;
  direction: BankOrder["direction"];
  amountInCents: number;
  outsideReference: string | null;
  lastKind: "SETTLED" | "RETURNED" | null;
  lastCode: string | null;
}

/** An order's state is its latest notice that is due at this business time; see BankPort.find. */
async function findOrder(
  pool: Pool,
  input: { organizationId: string; transferId: string; businessNow: Date; expected?: ExpectedOrder },
): Promise<BankOrderState | null> {
  const { rows } = await pool.query<OrderRow>({
    name: "sandbox_bank_find_order",
    text: `select o.reference, o.expected_settlement_at as "expectedSettlementAt", o.refusal_code as "refusalCode",
                  o.direction, o.amount_in_cents as "amountInCents", o.outside_reference as "outsideReference",
                  latest.kind as "lastKind", latest.code as "lastCode"
             from sandbox_bank_orders o
             left join lateral (
               select n.kind, n.code
                 from sandbox_bank_notices n
                where n.organization_id = o.organization_id and n.transfer_id = o.transfer_id and n.due_at <= $3
                  and n.kind <> 'CORRECTED'
                order by n.due_at desc
                limit 1) latest on true
            where o.organization_id = $1 and o.transfer_id = $2`,
    values: [input.organizationId, input.transferId, input.businessNow],
  });
  const row = rows[0];
  if (!row) return null;
  if (input.expected && !isSame(row, input.expected)) throw new BankOrderConflict(input.transferId);
  const { reference, expectedSettlementAt } = row;
  if (row.refusalCode !== null) {
    return { reference, state: "REFUSED", expectedSettlementAt, code: row.refusalCode };
  }
  return { reference, state: row.lastKind ?? "PENDING", expectedSettlementAt, code: row.lastCode };
}

const isSame = (row: OrderRow, { direction, amountInCents, bankReference }: ExpectedOrder) =>
  row.direction === direction &&
  row.amountInCents === amountInCents &&
  (bankReference === null || row.outsideReference === bankReference);

interface NoticeRow {
  noticeReference: string;
  kind: Exclude<BankNotice["kind"], "RELEASED">;
  code: string | null;
  dueAt: Date;
  transferId: string | null;
  depositReference: string | null;
  accountId: string | null;
  amountInCents: number | null;
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT" | null;
  payerName: string | null;
  direction: "CREDIT" | "DEBIT" | null;
  availableAt: Date | null;
  outsideRoutingNumberLast4: string | null;
  correctedAccountNumberLast4: string | null;
}

/** Reads `sandbox_bank_notices_undelivered` in its order and stops at `limit`; see BankPort.notices. */
async function listNotices(
  pool: Pool,
  input: { organizationId: string; businessNow: Date; limit: number },
): Promise<BankNotice[]> {
  const { rows } = await pool.query<NoticeRow>({
    name: "sandbox_bank_list_notices",
    text: `select n.notice_reference as "noticeReference", n.kind, n.code, n.due_at as "dueAt",
                  n.transfer_id as "transferId", n.deposit_reference as "depositReference",
                  d.account_id as "accountId", d.amount_in_cents as "amountInCents", d.origin,
                  d.payer_name as "payerName", o.direction, n.available_at as "availableAt",
                  o.outside_routing_number_last4 as "outsideRoutingNumberLast4",
                  n.corrected_account_number_last4 as "correctedAccountNumberLast4"
             from sandbox_bank_notices n
             left join sandbox_bank_orders o on o.organization_id = n.organization_id and o.transfer_id = n.transfer_id
             left join sandbox_bank_deposits d
               on d.organization_id = n.organization_id and d.reference = n.deposit_reference
            where n.organization_id = $1 and n.deliveries_left > 0 and n.due_at <= $2
              and not ${isSetAside("$2")}
            order by n.due_at, n.notice_reference
            limit $3`,
    values: [input.organizationId, input.businessNow, input.limit],
  });
  return rows.map((row) => toNotice(input.organizationId, row));
}

function toNotice(organizationId: string, row: NoticeRow): BankNotice {
  const common = { noticeReference: row.noticeReference, organizationId, occurredAt: row.dueAt };
  if (row.kind === "SETTLED") {
    const finalAt = finalityOf(known(row.direction), row.dueAt);
    const settled = { rail: "ACH" as const, feeInCents: 0, finalAt, availableAt: row.availableAt };
    return { ...common, kind: row.kind, transferId: known(row.transferId), code: null, ...settled };
  }
  if (row.kind === "RETURNED") {
    return { ...common, kind: row.kind, transferId: known(row.transferId), code: row.code };
  }
  if (row.kind === "CORRECTED") {
    return {
      ...common,
      kind: row.kind,
      transferId: known(row.transferId),
      code: known(row.code),
      bankReference: null,
      routingNumberLast4: row.outsideRoutingNumberLast4 ?? ROUTING_NUMBER.slice(-4),
      accountNumberLast4: known(row.correctedAccountNumberLast4),
    };
  }
  const depositReference = known(row.depositReference);
  if (row.kind === "DEPOSIT_RETURNED") {
    return { ...common, kind: row.kind, depositReference, code: known(row.code) };
  }
  return {
    ...common,
    kind: row.kind,
    depositReference,
    accountId: known(row.accountId),
    amountInCents: known(row.amountInCents),
    rail: row.origin === "CHECK_DEPOSIT" ? "CHECK" : "ACH",
    payerName: known(row.payerName),
  };
}

/** NACHA: a consumer has 60 days to dispute a debit; most other returns come within two banking days. */
function finalityOf(direction: "CREDIT" | "DEBIT", settledAt: Date): Date {
  const sixtyDays = 60 * 86_400_000;
  return direction === "DEBIT"
    ? new Date(settledAt.getTime() + sixtyDays)
    : bankingInstant(addBankingDays(bankingDateOf(settledAt), 2), "08:30");
}

/**
 * The sandbox's books are what it has reported: settlements, deposits, what it took back of them, and what the sandbox's
 * card network settled, whose money is kept here. A return without a settlement moved nothing. Mistakes made on
 * purpose are in its statement and its balance alike.
 */
const LINES = `
  select case when twice.is_again then f.again_reference else n.notice_reference end as line_reference,
         case f.kind when 'DELAYED' then greatest(n.due_at, f.delayed_until) else n.due_at end as due_at, n.kind, n.transfer_id, n.deposit_reference,
         null::uuid as card_reference,
         case when n.kind = 'DEPOSITED' then d.amount_in_cents
              when n.kind = 'DEPOSIT_RETURNED' then -d.amount_in_cents
              when (n.kind = 'SETTLED') = (o.direction = 'DEBIT') then o.amount_in_cents
              else -o.amount_in_cents end
           + case when f.changed_from <= $2 then f.changed_by_in_cents else 0 end as amount_in_cents,
         case when d.origin = 'CHECK_DEPOSIT' then 'CHECK' else 'ACH' end as rail,
         coalesce(d.payer_name, o.label, o.outside_name) as description
    from sandbox_bank_notices n
    left join sandbox_bank_orders o on o.organization_id = n.organization_id and o.transfer_id = n.transfer_id
    left join sandbox_bank_deposits d on d.organization_id = n.organization_id and d.reference = n.deposit_reference
    left join sandbox_bank_faults f on f.organization_id = n.organization_id and f.notice_reference = n.notice_reference
    cross join (values (false), (true)) as twice (is_again)
   where n.organization_id = $1 and n.due_at <= $2 and n.kind <> 'CORRECTED'
     and (n.kind <> 'RETURNED' or exists (
       select from sandbox_bank_notices s
        where s.organization_id = n.organization_id and s.transfer_id = n.transfer_id and s.kind = 'SETTLED'
          and s.due_at <= n.due_at))
     and (f.kind = 'DOUBLED' or not twice.is_again) and f.kind is distinct from 'LOST'
     and (f.delayed_until is null or f.delayed_until <= $2)
  union all
  select c.notice_reference, c.due_at, 'CARD', null, null, c.notice_reference,
         case when c.kind = 'SETTLED' then -c.amount_in_cents else c.amount_in_cents end, null, c.merchant
    from sandbox_card_notices c
   where c.organization_id = $1 and c.due_at <= $2 and c.kind <> 'RELEASED'
  union all
  select b.line_reference, b.booked_at, b.kind, null, null, null, b.amount_in_cents, null, b.description
    from sandbox_bank_lines b where b.organization_id = $1 and b.booked_at <= $2`;

async function sumLines(pool: Pool, input: { organizationId: string; businessNow: Date }): Promise<number> {
  const { rows } = await pool.query<{ inCents: number }>({
    name: "sandbox_bank_balance",
    text: `select coalesce(sum(amount_in_cents), 0)::bigint as "inCents" from (${LINES}) lines`,
    values: [input.organizationId, input.businessNow],
  });
  return rows[0]?.inCents ?? 0;
}

interface LineRow extends Omit<BankStatementLine, "kind"> {
  kind: "SETTLED" | "RETURNED" | "DEPOSITED" | "DEPOSIT_RETURNED" | "CARD" | "FEE" | "INTEREST" | "OTHER";
}

const LINE_KIND = {
  SETTLED: "ORDER",
  RETURNED: "ORDER_RETURN",
  DEPOSITED: "DEPOSIT",
  DEPOSIT_RETURNED: "DEPOSIT_RETURN",
  CARD: "CARD",
  FEE: "FEE",
  INTEREST: "INTEREST",
  OTHER: "OTHER",
} as const satisfies Record<LineRow["kind"], BankStatementLine["kind"]>;

/** The cursor is the last line's place: its time and reference. */
async function listLines(
  pool: Pool,
  input: { organizationId: string; from: Date; cursor: string | null; limit: number; businessNow: Date },
): Promise<BankStatementPage> {
  const [after, reference] = input.cursor?.split(" ") ?? [];
  const { rows } = await pool.query<LineRow>({
    name: "sandbox_bank_list_lines",
    text: `select line_reference as "lineReference", due_at as "bookedAt", kind, transfer_id as "transferId",
                  deposit_reference as "depositReference", card_reference as "cardReference",
                  amount_in_cents as "amountInCents", rail, description
             from (${LINES}) lines
            where due_at >= $3 and ($4::timestamptz is null or (due_at, line_reference) > ($4, $5::uuid))
            order by due_at, line_reference
            limit $6`,
    values: [
      input.organizationId,
      input.businessNow,
      input.from,
      after ?? null,
      reference ?? null,
      input.limit + 1,
    ],
  });
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    lines: page.map((row) => ({ ...row, kind: LINE_KIND[row.kind] })),
    nextCursor:
      rows.length > input.limit && last ? `${last.bookedAt.toISOString()} ${last.lineReference}` : null,
  };
}

function known<T>(value: T | null): T {
  if (value === null) throw new Error("Sandbox bank: a notice lacks what its kind has");
  return value;
}
