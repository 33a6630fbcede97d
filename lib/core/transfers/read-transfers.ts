import { AppError } from "@/lib/contract/error";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import type {
  AccountRole,
  ExecutionMode,
  Transfer,
  TransferDirection,
  TransferStatus,
} from "@/lib/contract/transfer";
import { requireReadableAccounts } from "@/lib/core/keys/require-readable-accounts";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { covers, permissionOf, requirePermission } from "@/lib/core/shared/permits";
import { type DecisionRow, decisionOf, toDecision } from "@/lib/core/shared/proposal-decision";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** SQL: an account of a transfer as the API shows it; without one, the counterparty of a deposit. */
const referenceTo = (account: "s" | "d") => `
  case when ${account}.id is null
       then json_build_object('id', null, 'name', coalesce(t.counterparty_name, ''), 'type', 'EXTERNAL_ENTITY',
         'isDeleted', false)
       else json_build_object('id', ${account}.id, 'name', ${account}.name, 'type', ${account}.type,
         'isDeleted', ${account}.deleted_at is not null) end`;

/** From `transfers t` with its accounts `s` and `d`, in the order of the API's fields. */
const TRANSFER_COLUMNS = `
  t.id, t.status, t.execution_mode as "executionMode", t.direction, t.origin, t.amount_in_cents as "amountInCents",
  t.description, ${referenceTo("s")} as source, ${referenceTo("d")} as destination, t.rule_id as "ruleId",
  t.rule_execution_id as "ruleExecutionId", t.reason_for_approval as "reasonForApproval", null as "approvalUrl",
  ${decisionOf("t")} as decision,
  t.error_code as "errorCode", t.error_message as "errorMessage", t.created_at as "createdAt",
  t.updated_at as "updatedAt", t.completed_at as "completedAt",
  t.expected_completion_date::text as "expectedCompletionDate", label.external_id as "externalId",
  coalesce(label.metadata, '[]') as metadata, null as checks`;

const TRANSFER_JOINS = `
  left join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
  left join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
  left join transfer_labels label on label.organization_id = t.organization_id and label.transfer_id = t.id`;

/** SQL: whether these include every account that a run read, because its amounts may depend on any of them. */
function isRunReadable(organizationId: string, executionId: string, accountIds: string): string {
  return `coalesce((
    select bool_and(seen::uuid = any (${accountIds}::uuid[]))
      from rule_executions e cross join jsonb_object_keys(e.facts -> 'accounts') seen
     where e.organization_id = ${organizationId} and e.id = ${executionId}), false)`;
}

type TransferRow = Omit<Transfer, "createdAt" | "updatedAt" | "completedAt" | "decision"> & {
  decision: DecisionRow | null;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
};

function toTransfer(row: TransferRow, appUrl: string): Transfer {
  return {
    ...row,
    approvalUrl: row.status === "APPROVAL_PENDING" ? approvalUrl(appUrl, row.id) : null,
    decision: toDecision(row.decision),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

/** The page where a person decides; opening it decides nothing (specification, Part 4, "Approval flow"). */
export function approvalUrl(appUrl: string, id: string): string {
  return `${appUrl}/?approvalTransferId=${id}`;
}

/** In a transaction, its client. */
interface Reading extends Pick<Services, "appUrl"> {
  pool: Queryable;
}

/**
 * One transfer, for a key that may read its source or destination, or that proposed it itself. A transfer of a rule's dry run requires READ_ACCOUNTS
 * for every account of the rule, because its amount may depend on any of them.
 * @throws AppError `TRANSFER_NOT_FOUND` (also for another organization's), `ACCESS_DENIED`.
 */
export async function getTransfer(
  services: Reading,
  context: Context<CallerActor>,
  transferId: string,
): Promise<Transfer> {
  const readable = permissionOf(context.actor, "READ_ACCOUNTS")?.accounts ?? [];
  const { rows } = await services.pool.query<TransferRow & { isReadable: boolean; isOwn: boolean }>({
    name: "get_transfer",
    text: `
      select ${TRANSFER_COLUMNS}, t.proposed_by_kind = 'API_KEY' and t.proposed_by_id = $4 as "isOwn",
          t.execution_mode = 'LIVE' or t.rule_execution_id is null or $3::uuid[] is null
            or ${isRunReadable("$1", "t.rule_execution_id", "$3")} as "isReadable"
        from transfers t ${TRANSFER_JOINS} where t.organization_id = $1 and t.id = $2`,
    values: [context.organizationId, transferId, readable === "ALL" ? null : readable, context.actor.id],
  });
  const row = rows[0];
  if (!row) throw new AppError("TRANSFER_NOT_FOUND", `There is no transfer ${transferId}.`);
  const { isReadable, isOwn, ...transfer } = row;
  if (!isOwn) requireReadableParty(context.actor, transfer);
  if (!isReadable) {
    throw new AppError(
      "ACCESS_DENIED",
      "This transfer belongs to a rule's dry run, whose amounts reveal balances. This key lacks READ_ACCOUNTS for an account that the rule names.",
    );
  }
  return toTransfer(transfer, services.appUrl);
}

/** @throws AppError `ACCESS_DENIED` unless the caller may read the transfers of its source or its destination. */
function requireReadableParty(actor: CallerActor, { source, destination }: TransferRow): void {
  const { accounts } = requirePermission(actor, "READ_TRANSFERS");
  if ([source.id, destination.id].some((id) => id !== null && covers(accounts, id))) return;
  throw new AppError(
    "ACCESS_DENIED",
    "Neither account of this transfer is in the list of this key's READ_TRANSFERS permission, and this key did not propose it.",
  );
}

interface ListTransfersInput extends PageRequest {
  /** At least one; transfers into or out of any of them. */
  accountIds: readonly string[];
  /** On which side of the transfer the accounts are. */
  accountRole: AccountRole;
  executionMode: ExecutionMode;
  /** Any of them; empty: all. */
  statuses: readonly TransferStatus[];
  direction: TransferDirection | null;
  ruleExecutionId: string | null;
  /** On `createdAt`, both inclusive. */
  from: Date | null;
  to: Date | null;
}

/**
 * Transfers into or out of the given accounts, newest first, without dry runs whose amounts the key may not know
 * (`isRunReadable`).
 * @throws AppError `ACCOUNT_NOT_FOUND` for an account of another organization, `ACCESS_DENIED` for one outside the
 * key's list.
 */
export async function listTransfers(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  input: ListTransfersInput,
): Promise<Page<Transfer>> {
  await requireReadableAccounts(services, context, input.accountIds);
  const readable = permissionOf(context.actor, "READ_ACCOUNTS")?.accounts ?? [];
  const isBounded = input.executionMode === "SIMULATION" && readable !== "ALL";
  const { rows } = await services.pool.query<TransferRow>(
    pageStatement(context.organizationId, input, isBounded ? readable : null),
  );
  return toPage(rows, input, (row) => toTransfer(row, services.appUrl));
}

/**
 * Reads each account and side from its own index, newest first and no further than the page needs, then merges. A filter
 * that is not asked for is not in the statement: without any, a deep page skips index entries and no rows.
 * @param readable the only accounts on which the amount of a rule's dry run may depend; null for any
 */
function pageStatement(organizationId: string, input: ListTransfersInput, readable: string[] | null) {
  const { accountIds, accountRole, executionMode, page, pageSize } = input;
  const values: unknown[] = [organizationId, executionMode, pageSize + 1, (page - 1) * pageSize];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const filters = {
    status: input.statuses.length === 1 && `status = ${parameter(input.statuses[0])}`,
    statuses: input.statuses.length > 1 && `status = any (${parameter(input.statuses)}::text[])`,
    direction: input.direction && `direction = ${parameter(input.direction)}`,
    run: input.ruleExecutionId && `rule_execution_id = ${parameter(input.ruleExecutionId)}`,
    from: input.from && `created_at >= ${parameter(input.from)}`,
    to: input.to && `created_at <= ${parameter(input.to)}`,
    readable:
      readable &&
      `(rule_execution_id is null or ${isRunReadable("$1", "rule_execution_id", parameter(readable))})`,
  };
  const asked = Object.entries(filters).flatMap(([name, sql]) => (sql ? [{ name, sql }] : []));
  const isOne = accountIds.length === 1;
  const accounts = parameter(isOne ? accountIds[0] : accountIds);
  const side = (column: string) => `
    (select id from transfers
      where organization_id = $1 and ${column} = ${isOne ? accounts : "account.id"} and execution_mode = $2
        ${asked.map(({ sql }) => `and ${sql}`).join(" ")}
      order by id desc limit $3::int + $4::int)`;
  const [out, into] = [side("source_account_id"), side("destination_account_id")];
  const sides = { source: out, destination: into, either: `${out} union all ${into}` }[accountRole];
  // A transfer between two of the accounts is found twice.
  const found = isOne
    ? sides
    : `select distinct side.id from unnest(${accounts}::uuid[]) as account(id) cross join lateral (${sides}) as side`;
  return {
    name: ["list_transfers", isOne ? "one" : "many", accountRole, ...asked.map(({ name }) => name)].join("_"),
    text: `
      with page as (select id from (${found}) as found order by id desc limit $3::int offset $4::int)
      select ${TRANSFER_COLUMNS}
        from page
        cross join lateral (select * from transfers where organization_id = $1 and id = page.id offset 0) t
        ${TRANSFER_JOINS}
       order by page.id desc`,
    values,
  };
}
