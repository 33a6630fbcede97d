import type { Account, CreateAccountBody, NewAccountInput } from "@/lib/contract/account";
import type { BankCapabilities } from "@/lib/contract/bank-capabilities";
import { AppError } from "@/lib/contract/error";
import { findAccount } from "@/lib/core/ledger/read-accounts";
import { requireIdentity } from "@/lib/core/organizations/identity";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import { requirePermission } from "@/lib/core/shared/permits";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { OPEN_AT_BANK } from "@/lib/core/shared/work-names";
import { type WriteRequest, type WriteResult, writeOnce } from "@/lib/core/shared/write-once";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { businessTime } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import { Outages } from "@/lib/platform/outages";
import type { Services } from "@/lib/platform/services";
import { readAdoption, TAKEN } from "@/lib/ports/bank/adoption";
import {
  type BankAccount,
  type BankPort,
  BankRefusesAccount,
  BankUnavailable,
} from "@/lib/ports/bank/bank-port";

/**
 * Opens a pod or income source for a key (specification, Part 4, "Accounts"). Account, ledger, idempotent result and
 * audit entry are one transaction. A concurrent request with the same idempotency key waits for it and replays.
 * @throws AppError `ACCESS_DENIED`, `INVALID_PARAMETERS` for an unknown beneficiary; as `writeOnce`.
 */
export async function createAccount(
  services: Pick<Services, "pool" | "wake" | "bankCapabilities">,
  context: Context<CallerActor>,
  body: CreateAccountBody,
  request: WriteRequest,
): Promise<WriteResult> {
  requirePermission(context.actor, "CREATE_ACCOUNTS");
  const result = await writeOnce(services, context, request, (client) =>
    openAccount(services, client, context, {
      type: body.type,
      name: body.name,
      description: body.description ?? null,
      beneficiaryId: body.beneficiaryId ?? null,
      // A floor binds what no person approves; people set it for all new pods, programs do not.
      floorInCents: "OF_ORGANIZATION",
      savingsTargetInCents: body.savingsTargetInCents ?? null,
    }),
  );
  if (result.kind === "RECORDED" && body.type === "INCOME_SOURCE") services.wake(OPEN_AT_BANK);
  return result;
}

/**
 * Opens a pod or income source for a member in the dashboard.
 * @returns its id.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS` for an unknown beneficiary.
 */
export async function createAccountAsMember(
  services: Pick<Services, "pool" | "wake" | "bankCapabilities">,
  context: Context<MemberActor>,
  input: NewAccountInput,
): Promise<string> {
  const account = await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "open an account");
    const opened = await openAccount(services, client, context, {
      type: input.type,
      name: input.name,
      description: input.description ?? null,
      beneficiaryId: input.beneficiaryId ?? null,
      floorInCents: input.floorInCents,
      savingsTargetInCents: input.savingsTargetInCents ?? null,
    });
    const change = { subject: opened.name, before: null, after: opened.type };
    await recordChange(client, context, { kind: "ACCOUNT_OPENED", ...change });
    return opened;
  });
  if (input.type === "INCOME_SOURCE") services.wake(OPEN_AT_BANK);
  return account.id;
}

/** A new account; its fields are already checked. */
interface AccountDraft {
  type: "POD" | "INCOME_SOURCE";
  name: string;
  description: string | null;
  /** Null: the organization's default. */
  beneficiaryId: string | null;
  /** `OF_ORGANIZATION`: a pod starts with the organization's floor for new pods. */
  floorInCents: number | null | "OF_ORGANIZATION";
  savingsTargetInCents: number | null;
}

/**
 * Writes a managed account and its ledger, which starts at zero, in the caller's transaction. An income source becomes
 * due to get its numbers from the bank; a pod has none, since it receives no outside money.
 * @throws AppError `ACCESS_DENIED` before the identity check is approved, `INVALID_PARAMETERS` for a beneficiary that is
 * not this organization's, and for an income source that the bank has no number for.
 */
export async function openAccount(
  { bankCapabilities }: Pick<Services, "bankCapabilities">,
  client: Queryable,
  context: Pick<Context, "organizationId" | "now">,
  draft: AccountDraft,
): Promise<Account> {
  await requireIdentity(client, context.organizationId);
  if (draft.type === "INCOME_SOURCE") await requireNumber(client, context, bankCapabilities);
  const id = newId(context.now);
  const { rowCount } = await client.query(
    `insert into accounts (organization_id, id, type, name, description, beneficiary_id, floor_in_cents,
        savings_target_in_cents, number_due_at, created_at, updated_at)
     select $1, $2, $3, $4, $5, b.id,
        case when $10 then (select o.new_pod_floor_in_cents from organizations o where o.id = $1 and $3 = 'POD')
          else $7::bigint end, $8, case when $3 = 'INCOME_SOURCE' then $9::timestamptz end, $9, $9
       from beneficiaries b
      where b.organization_id = $1 and b.removed_at is null
        and b.id = coalesce($6::uuid, (select default_beneficiary_id from organizations where id = $1))
      -- A concurrent removal: this waits for it, and then finds no row.
      for key share of b`,
    [
      context.organizationId,
      id,
      draft.type,
      draft.name,
      draft.description || null,
      draft.beneficiaryId,
      draft.floorInCents === "OF_ORGANIZATION" ? null : draft.floorInCents,
      draft.savingsTargetInCents,
      context.now,
      draft.floorInCents === "OF_ORGANIZATION",
    ],
  );
  if (rowCount !== 1) {
    const message = "there is no such beneficiary";
    throw new AppError("INVALID_PARAMETERS", `beneficiaryId: ${message}.`, [
      { field: "beneficiaryId", message },
    ]);
  }
  await client.query("insert into ledgers (organization_id, id, kind) values ($1, $2, 'MANAGED')", [
    context.organizationId,
    id,
  ]);
  const account = await findAccount(client, context, id);
  if (!account) throw new Error("A newly opened account was not found");
  return account;
}

/**
 * A bank whose one account the installation shares has one number: for one income source, of one organization.
 * @throws AppError `INVALID_PARAMETERS` in words
 */
async function requireNumber(
  client: Queryable,
  { organizationId }: Pick<Context, "organizationId">,
  { onlyAccount }: BankCapabilities,
): Promise<void> {
  if (onlyAccount === null) return;
  // Two at once: the second waits here.
  await client.query("select pg_advisory_xact_lock(hashtextextended($1 || '|income', 0))", [organizationId]);
  const { rows } = await client.query<{ name: string }>({
    name: "find_income_source",
    text: `select name from accounts
            where organization_id = $1 and type = 'INCOME_SOURCE' and deleted_at is null limit 1`,
    values: [organizationId],
  });
  const [other] = rows;
  if (other) refuseIncome(`This bank has one account number, and ${other.name} receives on it.`);
  const adoption = await readAdoption(client, onlyAccount);
  if (adoption && adoption.organizationId !== organizationId) refuseIncome(TAKEN);
}

function refuseIncome(message: string): never {
  throw new AppError("INVALID_PARAMETERS", `${message} Nothing was opened.`, [{ field: "type", message }]);
}

interface LeasedRow {
  organizationId: string;
  id: string;
  name: string;
  attempts: number;
  clockOffsetMs: number;
}

/** Longer than the bank may take to respond. */
const LEASE_MS = 60_000;
const RETRY_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000] as const;
const LAST_RETRY_MS = RETRY_MS[4];

/**
 * Requests the numbers of new income sources from the bank: leased, requested outside any transaction, recorded in its
 * own. The account's id is the bank's idempotency key, so a repeated request opens nothing twice.
 * @returns how many were leased.
 */
export async function openAtBank(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
  limit: number,
  outages = new Outages(services, "the bank"),
): Promise<number> {
  const { rows } = await services.pool.query<LeasedRow>({
    name: "lease_accounts_to_open",
    text: `select organization_id as "organizationId", id, name, attempts, clock_offset_ms as "clockOffsetMs"
      from lease_accounts_to_open($1, $2, $3)`,
    values: [services.clock.now(), LEASE_MS, limit],
  });
  await Promise.all(rows.map((row) => openOne(services, bank, row, outages)));
  return rows.length;
}

async function openOne(
  services: Pick<Services, "pool" | "clock" | "log">,
  bank: BankPort,
  row: LeasedRow,
  outages: Outages,
): Promise<void> {
  const businessNow = businessTime(services.clock, row.clockOffsetMs);
  const answer = await ask(services, bank, row, { businessNow, outages });
  if (answer?.kind === "REFUSED") {
    await services.pool.query({
      name: "record_number_problem",
      text: "select record_number_problem($1, $2, $3)",
      values: [row.organizationId, row.id, answer.problem],
    });
  }
  const opened = answer?.kind === "OPENED" ? answer.account : null;
  const retryMs = RETRY_MS[row.attempts - 1] ?? LAST_RETRY_MS;
  await services.pool.query({
    name: "record_account_numbers",
    text: "select record_account_numbers($1)",
    values: [
      JSON.stringify({
        organizationId: row.organizationId,
        id: row.id,
        institutionName: opened?.institutionName,
        routingNumberLast4: opened?.routingNumberLast4,
        accountNumberLast4: opened?.accountNumberLast4,
        retryAt: new Date(businessNow.getTime() + retryMs),
        now: businessNow,
      }),
    ],
  });
}

type Opening = { kind: "OPENED"; account: BankAccount } | { kind: "REFUSED"; problem: string };

/** Null: no answer; whatever went wrong, it is retried. */
async function ask(
  services: Pick<Services, "log">,
  bank: BankPort,
  row: LeasedRow,
  { businessNow, outages }: { businessNow: Date; outages: Outages },
): Promise<Opening | null> {
  const { organizationId, id: accountId, name, attempts } = row;
  try {
    const account = await bank.openAccount({ organizationId, accountId, name, businessNow });
    outages.answered(organizationId);
    return { kind: "OPENED", account };
  } catch (error) {
    const about = { organizationId, accountId, attempts };
    if (error instanceof BankRefusesAccount) {
      outages.answered(organizationId);
      services.log.warn({ ...about, problem: error.message }, "the bank opens no account; will retry");
      return { kind: "REFUSED", problem: error.message };
    }
    if (error instanceof BankUnavailable) outages.failed(organizationId, businessNow, error, about);
    else {
      services.log.error({ err: error, ...about }, "the bank gave no numbers for an account; will retry");
    }
    return null;
  }
}
