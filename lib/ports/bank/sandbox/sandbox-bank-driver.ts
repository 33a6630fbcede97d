import type { Pool } from "pg";
import { v7 as uuidv7 } from "uuid";
import { bankingDateOf } from "@/lib/contract/banking-days";
import { bankingDaysLater } from "@/lib/ports/bank/sandbox/submit-order";

/** What a member may do to the sandbox bank. A real bank has no equivalent. */
export interface SandboxBankDriver {
  /** An outside party sends money; the bank reports it once it arrives. */
  deposit(input: NewDeposit): Promise<MadeDeposit>;
  /**
   * Returns an order immediately, instead of settling it or afterwards.
   * @returns false if the bank has no such order, refused it, or has returned it already
   */
  returnOrder(input: {
    organizationId: string;
    transferId: string;
    code: string;
    businessNow: Date;
  }): Promise<boolean>;
  /**
   * Takes back a deposit, by the bank's reference.
   * @returns false if it was returned already
   */
  returnDeposit(input: {
    organizationId: string;
    depositReference: string;
    code: string;
    businessNow: Date;
  }): Promise<boolean>;
  /** Books something on its own: a fee, interest, or a correction of its statement. @returns the line's reference */
  bookOwnLine(input: OwnLine): Promise<string>;
  /**
   * Makes a mistake in the line of an order or deposit, in the statement and in the balance. Once per line.
   * @returns false if there is no such line, or it has a mistake already
   */
  misreport(input: Misreport): Promise<boolean>;
  /** Simulates an outage until then (business time). */
  goSilent(input: { organizationId: string; until: Date }): Promise<void>;
  /** The end of the simulated outage; null if there is none. */
  silentUntil(input: { organizationId: string; businessNow: Date }): Promise<Date | null>;
}

export function createSandboxBankDriver(pool: Pool): SandboxBankDriver {
  return {
    deposit: (input) => makeDeposit(pool, input),
    returnOrder: (input) => returnOrder(pool, input),
    returnDeposit: (input) => returnDeposit(pool, input),
    bookOwnLine: (input) => bookOwnLine(pool, input),
    misreport: (input) => misreport(pool, input),
    goSilent: (input) => goSilent(pool, input),
    silentUntil: (input) => readSilence(pool, input),
  };
}

/** See SandboxBankDriver.returnOrder. */
async function returnOrder(
  pool: Pool,
  input: { organizationId: string; transferId: string; code: string; businessNow: Date },
): Promise<boolean> {
  const { rows } = await pool.query<{ isReturned: boolean }>({
    name: "sandbox_bank_return_order",
    text: `select sandbox_bank_return_order($1, $2, $3, $4, $5) as "isReturned"`,
    values: [input.organizationId, input.transferId, uuidv7(), input.code, input.businessNow],
  });
  return rows[0]?.isReturned === true;
}

/** See SandboxBankDriver.returnDeposit. */
async function returnDeposit(
  pool: Pool,
  input: { organizationId: string; depositReference: string; code: string; businessNow: Date },
): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "sandbox_bank_return_deposit",
    text: `insert into sandbox_bank_notices (organization_id, notice_reference, deposit_reference, kind, code, due_at)
           values ($1, $2, $3, 'DEPOSIT_RETURNED', $4, $5)
           on conflict (organization_id, deposit_reference, kind) do nothing`,
    values: [input.organizationId, uuidv7(), input.depositReference, input.code, input.businessNow],
  });
  return rowCount === 1;
}

interface NewDeposit {
  organizationId: string;
  /** A pod or an income source. */
  accountId: string;
  amountInCents: number;
  origin: "DIRECT_DEPOSIT" | "CHECK_DEPOSIT";
  payerName: string;
  businessNow: Date;
}

interface MadeDeposit {
  reference: string;
  /** When the money arrives: immediately, or when the check has cleared. */
  arrivesAt: Date;
}

/** The deposit and its notice in one statement, so that neither exists without the other. */
async function makeDeposit(pool: Pool, deposit: NewDeposit): Promise<MadeDeposit> {
  const reference = `SBX-${uuidv7()}`;
  const arrivesAt =
    deposit.origin === "CHECK_DEPOSIT"
      ? bankingDaysLater(bankingDateOf(deposit.businessNow), 1)
      : deposit.businessNow;
  await pool.query({
    name: "sandbox_bank_make_deposit",
    text: `with made as (
             insert into sandbox_bank_deposits
               (organization_id, reference, account_id, origin, amount_in_cents, payer_name, made_at)
             values ($1, $2, $3, $4, $5, $6, $7))
           insert into sandbox_bank_notices (organization_id, notice_reference, deposit_reference, kind, due_at)
           values ($1, $8, $2, 'DEPOSITED', $9)`,
    values: [
      deposit.organizationId,
      reference,
      deposit.accountId,
      deposit.origin,
      deposit.amountInCents,
      deposit.payerName,
      deposit.businessNow,
      uuidv7(),
      arrivesAt,
    ],
  });
  return { reference, arrivesAt };
}

interface OwnLine {
  organizationId: string;
  kind: "FEE" | "INTEREST" | "OTHER";
  /** Positive: into the account. */
  amountInCents: number;
  description: string;
  businessNow: Date;
}

async function bookOwnLine(pool: Pool, line: OwnLine): Promise<string> {
  const reference = uuidv7();
  await pool.query({
    name: "sandbox_bank_book_own_line",
    text: `insert into sandbox_bank_lines (organization_id, line_reference, kind, amount_in_cents, description, booked_at)
           values ($1, $2, $3, $4, $5, $6)`,
    values: [
      line.organizationId,
      reference,
      line.kind,
      line.amountInCents,
      line.description,
      line.businessNow,
    ],
  });
  return reference;
}

interface Misreport {
  organizationId: string;
  /** The order, or the bank's reference of the deposit. */
  of: { transferId: string } | { depositReference: string };
  /**
   * DELAYED: the line appears at this business time, dated then. REORDERED: behind lines of later days. CHANGED: from this
   * business time on, the bank says so much more or less of it.
   */
  fault:
    | { kind: "LOST" }
    | { kind: "DOUBLED" }
    | { kind: "DELAYED" | "REORDERED"; until: Date }
    | { kind: "CHANGED"; from: Date; byInCents: number };
}

/** See SandboxBankDriver.misreport. */
async function misreport(pool: Pool, { organizationId, of, fault }: Misreport): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "sandbox_bank_misreport",
    text: `insert into sandbox_bank_faults (organization_id, notice_reference, kind, again_reference, delayed_until,
             changed_from, changed_by_in_cents)
           select $1, n.notice_reference, $4, $5, $6, $7, $8 from sandbox_bank_notices n
            where n.organization_id = $1 and (n.transfer_id = $2 and n.kind = 'SETTLED'
              or n.deposit_reference = $3 and n.kind = 'DEPOSITED')
           on conflict do nothing`,
    values: [
      organizationId,
      "transferId" in of ? of.transferId : null,
      "depositReference" in of ? of.depositReference : null,
      fault.kind,
      fault.kind === "DOUBLED" ? uuidv7() : null,
      "until" in fault ? fault.until : null,
      "from" in fault ? fault.from : null,
      "byInCents" in fault ? fault.byInCents : null,
    ],
  });
  return rowCount === 1;
}

/** Simulates an outage of the bank for this organization until then (business time). */
async function goSilent(pool: Pool, input: { organizationId: string; until: Date }): Promise<void> {
  await pool.query({
    name: "sandbox_bank_go_silent",
    text: `insert into sandbox_bank_silences values ($1, $2)
           on conflict (organization_id) do update set silent_until = excluded.silent_until`,
    values: [input.organizationId, input.until],
  });
}

/** The end of the organization's simulated outage; null if there is none. */
export async function readSilence(
  pool: Pool,
  input: { organizationId: string; businessNow: Date },
): Promise<Date | null> {
  const { rows } = await pool.query<{ silentUntil: Date }>({
    name: "sandbox_bank_read_silence",
    text: `select silent_until as "silentUntil" from sandbox_bank_silences
      where organization_id = $1 and silent_until > $2`,
    values: [input.organizationId, input.businessNow],
  });
  return rows[0]?.silentUntil ?? null;
}
