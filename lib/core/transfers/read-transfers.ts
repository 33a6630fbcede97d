import { AppError } from "@/lib/contract/error";
import type { MetadataPair } from "@/lib/contract/input/labels";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import type { AmountFilters, ListSummary } from "@/lib/contract/search/list-filters";
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
import { containing, SUMMARY_COLUMNS, searchList, toSummary } from "@/lib/core/shared/search-list";
import { statementName } from "@/lib/db/statement-name";
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
  null as "approvedAmountInCents",
  (select p.requested_amount_in_cents from proposals p
    where p.organization_id = t.organization_id and p.id = t.id) as "requestedAmountInCents",
  t.description, ${referenceTo("s")} as source, ${referenceTo("d")} as destination, t.rule_id as "ruleId",
  t.rule_execution_id as "ruleExecutionId", t.reason_for_approval as "reasonForApproval", null as "approvalUrl",
  ${decisionOf("t")} as decision, null as approvals, t.mandate_id as "mandateId",
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
  /** What its program asked, where a member lowered it; null: `amountInCents`, which is what moves. */
  requestedAmountInCents: number | null;
  createdAt: Date;
  updatedAt: Date;
  completedAt: Date | null;
};

function toTransfer({ requestedAmountInCents, ...row }: TransferRow, appUrl: string): Transfer {
  const isLowered = requestedAmountInCents !== null && row.decision?.outcome === "APPROVED";
  return {
    ...row,
    amountInCents: requestedAmountInCents ?? row.amountInCents,
    approvedAmountInCents: isLowered ? row.amountInCents : null,
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

interface ListTransfersInput extends PageRequest, AmountFilters {
  /** Transfers into or out of any of them; empty: all that the caller may read. */
  accountIds: readonly string[];
  /** On which side of the transfer the accounts are. */
  accountRole: AccountRole;
  executionMode: ExecutionMode;
  /** Any of them; empty: all. */
  statuses: readonly TransferStatus[];
  direction: TransferDirection | null;
  ruleExecutionId: string | null;
  mandateId: string | null;
  /** On `createdAt`, both inclusive. */
  from: Date | null;
  to: Date | null;
  /** In label, counterparty or the name of either account. */
  q: string | null;
  externalId: string | null;
  /** One pair that it must have. */
  metadata: MetadataPair | null;
  withSummary: boolean;
}

/** Filters of a list that only names its accounts. */
export const NO_TRANSFER_SEARCH = {
  q: null,
  externalId: null,
  metadata: null,
  mandateId: null,
  minimumAmountInCents: null,
  maximumAmountInCents: null,
  withSummary: false,
} as const;

export type TransferPage = Page<Transfer> & { summary: ListSummary | null };

/**
 * Transfers into or out of the given accounts, newest first, without dry runs whose amounts the key may not know
 * (`isRunReadable`).
 * @throws AppError `ACCOUNT_NOT_FOUND` for an account of another organization, `ACCESS_DENIED` for one outside the
 * key's list, `INVALID_PARAMETERS` for a search that takes too long.
 */
export async function listTransfers(
  services: Pick<Services, "pool" | "appUrl">,
  context: Context<CallerActor>,
  input: ListTransfersInput,
): Promise<TransferPage> {
  const permission = requirePermission(context.actor, "READ_TRANSFERS");
  if (input.accountIds.length > 0) await requireReadableAccounts(services, context, input.accountIds);
  const readable = permissionOf(context.actor, "READ_ACCOUNTS")?.accounts ?? [];
  const isBounded = input.executionMode === "SIMULATION" && readable !== "ALL";
  const allowed = permission.accounts === "ALL" ? null : permission.accounts;
  const accountIds = input.accountIds.length > 0 ? input.accountIds : allowed;
  const asked = { ...input, organizationId: context.organizationId, accountIds };
  const known = isBounded ? readable : null;
  const { q, externalId, metadata, withSummary } = input;
  if (q === null && externalId === null && metadata === null && !withSummary && accountIds !== null) {
    const { rows } = await services.pool.query<TransferRow>(pageOf(asked, await foundBy(null, asked), known));
    return { ...toPage(rows, input, (row) => toTransfer(row, services.appUrl)), summary: null };
  }
  return searchList(services.pool, async (client) => {
    const found = await foundBy(client, asked);
    const { rows } = await client.query<TransferRow>(pageOf(asked, found, known));
    const page = toPage(rows, input, (row) => toTransfer(row, services.appUrl));
    if (!withSummary) return { ...page, summary: null };
    const { rows: sums } = await client.query<ListSummary>(summaryOf(asked, found, known));
    return { ...page, summary: toSummary(sums) };
  });
}

/** The accounts of the list, if it is bound to some. */
type Asked = Omit<ListTransfersInput, "accountIds"> & {
  organizationId: string;
  accountIds: readonly string[] | null;
};

/** By what a list's transfers are found; everything else is checked on each. */
type Found =
  | { by: "ACCOUNTS" }
  | { by: "LABELS"; namedIds: string[] }
  | { by: "TEXT"; namedIds: string[] }
  | { by: "ALL" };

/** More accounts with one text in their names are not looked through. */
const MAXIMUM_NAMED = 200;

async function foundBy(client: Queryable | null, { organizationId, q, ...asked }: Asked): Promise<Found> {
  const isLabeled = asked.externalId !== null || asked.metadata !== null;
  if (client === null || (q === null && !isLabeled))
    return { by: asked.accountIds === null ? "ALL" : "ACCOUNTS" };
  if (q === null) return { by: "LABELS", namedIds: [] };
  const { rows } = await client.query<{ id: string }>({
    name: "find_accounts_by_name",
    text: `select id from accounts where organization_id = $1 and name ilike $2 order by id limit ${MAXIMUM_NAMED}`,
    values: [organizationId, containing(q)],
  });
  return { by: isLabeled ? "LABELS" : "TEXT", namedIds: rows.map(({ id }) => id) };
}

/** A statement's values, and where its transfers come from. */
interface Sources {
  values: unknown[];
  /** Each `select … from transfers where …`; a transfer that several find counts once. */
  branches: string[];
  /** Whether no two of them find the same transfer. */
  areApart: boolean;
  /** Unique to the text of the statement. */
  name: string;
}

interface Wanted {
  columns: string;
  /** What ends each branch that an index returns in order, newest first. */
  bound: string;
}

/** A condition that one index serves. With `ids`, it is met for each of them, as `account.id`. */
interface Driver {
  condition: string;
  ids: string | null;
  /** The index returns its transfers newest first; that of a text in no order. */
  isOrdered: boolean;
}

/**
 * The branches that together find the transfers of a list, each from one index. A filter that is not asked for is not in the
 * statement: without any, a deep page skips index entries and no rows.
 * @param readable the only accounts on which the amount of a rule's dry run may depend; null for any
 */
function sourcesOf(asked: Asked, found: Found, readable: readonly string[] | null, wanted: Wanted): Sources {
  const { organizationId, executionMode, accountIds, accountRole, page, pageSize } = asked;
  const values: unknown[] = [organizationId, executionMode, pageSize + 1, (page - 1) * pageSize];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const filters = filtersOf(asked, found, readable, parameter);
  const select = ({ condition, isOrdered }: Driver) => `
    (select ${wanted.columns} from transfers
      where organization_id = $1 and execution_mode = $2 and ${condition}
        ${filters.map(({ sql }) => `and ${sql}`).join(" ")}
      ${isOrdered ? wanted.bound : ""})`;
  const branch = (driver: Driver) =>
    driver.ids === null
      ? select(driver)
      : `(select side.* from unnest(${driver.ids}::uuid[]) as account(id) cross join lateral ${select(driver)} as side)`;
  const isOne = accountIds?.length === 1;
  const names = [
    ...[found.by.toLowerCase(), isOne ? "one" : "many", accountRole],
    ...(asked.externalId === null ? [] : ["id"]),
    ...(asked.metadata === null ? [] : ["pair"]),
    ...filters.map((filter) => filter.name),
  ];
  return {
    values,
    branches: driversOf(asked, found, parameter).map(branch),
    areApart: isOne || found.by === "ALL" || found.by === "LABELS",
    name: names.join("_"),
  };
}

type Side = "source" | "destination";
const SIDES: Record<AccountRole, readonly Side[]> = {
  source: ["source"],
  destination: ["destination"],
  either: ["source", "destination"],
};

function driversOf(asked: Asked, found: Found, parameter: (value: unknown) => string): Driver[] {
  switch (found.by) {
    case "ALL":
      return [{ condition: "true", ids: null, isOrdered: true }];
    case "LABELS":
      return [{ condition: labelSql(asked, parameter), ids: null, isOrdered: true }];
    case "TEXT": {
      const like = parameter(containing(asked.q ?? ""));
      const text = (column: string) => ({
        condition: `${column} ilike ${like}`,
        ids: null,
        isOrdered: false,
      });
      return [
        text("description"),
        text("counterparty_name"),
        ...sidesOf(found.namedIds, SIDES.either, parameter),
      ];
    }
    case "ACCOUNTS":
      return sidesOf(asked.accountIds ?? [], SIDES[asked.accountRole], parameter);
  }
}

/** Each account and side from its own index. */
function sidesOf(
  ids: readonly string[],
  sides: readonly Side[],
  parameter: (value: unknown) => string,
): Driver[] {
  const isOne = ids.length === 1;
  const accounts = parameter(isOne ? ids[0] : ids);
  return sides.map((side) => ({
    condition: `${side}_account_id = ${isOne ? accounts : "account.id"}`,
    ids: isOne ? null : accounts,
    isOrdered: true,
  }));
}

function labelSql({ externalId, metadata }: Asked, parameter: (value: unknown) => string): string {
  const found = [
    ...(externalId === null
      ? []
      : [`from transfer_labels where organization_id = $1 and external_id = ${parameter(externalId)}`]),
    ...(metadata === null
      ? []
      : [
          `from transfer_metadata where organization_id = $1 and key = ${parameter(metadata.key)}
            and value = ${parameter(metadata.value)}`,
        ]),
  ];
  return found.map((from) => `id = any (array(select transfer_id ${from}))`).join(" and ");
}

function filtersOf(
  asked: Asked,
  found: Found,
  readable: readonly string[] | null,
  parameter: (value: unknown) => string,
): { name: string; sql: string }[] {
  const { statuses, accountIds, accountRole, minimumAmountInCents, maximumAmountInCents } = asked;
  const filters = {
    status: statuses.length === 1 && `status = ${parameter(statuses[0])}`,
    statuses: statuses.length > 1 && `status = any (${parameter(statuses)}::text[])`,
    direction: asked.direction && `direction = ${parameter(asked.direction)}`,
    run: asked.ruleExecutionId && `rule_execution_id = ${parameter(asked.ruleExecutionId)}`,
    mandate: asked.mandateId && `mandate_id = ${parameter(asked.mandateId)}`,
    from: asked.from && `created_at >= ${parameter(asked.from)}`,
    to: asked.to && `created_at <= ${parameter(asked.to)}`,
    least: minimumAmountInCents !== null && `amount_in_cents >= ${parameter(minimumAmountInCents)}::bigint`,
    most: maximumAmountInCents !== null && `amount_in_cents <= ${parameter(maximumAmountInCents)}::bigint`,
    accounts: accountIds !== null && found.by !== "ACCOUNTS" && sideOf(accountRole, parameter(accountIds)),
    text: found.by === "LABELS" && asked.q !== null && textSql(asked.q, found.namedIds, parameter),
    readable:
      readable &&
      `(rule_execution_id is null or ${isRunReadable("$1", "rule_execution_id", parameter(readable))})`,
  };
  return Object.entries(filters).flatMap(([name, sql]) => (sql ? [{ name, sql }] : []));
}

function sideOf(role: AccountRole, ids: string): string {
  return `(${SIDES[role].map((side) => `${side}_account_id = any (${ids}::uuid[])`).join(" or ")})`;
}

function textSql(q: string, namedIds: readonly string[], parameter: (value: unknown) => string): string {
  const like = parameter(containing(q));
  return `(description ilike ${like} or counterparty_name ilike ${like} or ${sideOf("either", parameter(namedIds))})`;
}

/**
 * Reads each branch newest first and no further than the page needs, then merges. What a text finds is sorted as a whole: a
 * plan that walked all transfers in order of time would read all of them for a rare one.
 */
function pageOf(asked: Asked, found: Found, readable: readonly string[] | null) {
  const sources = sourcesOf(asked, found, readable, {
    columns: "id",
    bound: "order by id desc limit $3::int + $4::int",
  });
  const named = found.by === "TEXT" && found.namedIds.length === 1 ? ["by_one"] : [];
  return {
    name: statementName("list_transfers", sources.name, ...named),
    text: `
      with page as (select id from (${merged(sources)}) as found order by id desc limit $3::int offset $4::int)
      select ${TRANSFER_COLUMNS}
        from page
        cross join lateral (select * from transfers where organization_id = $1 and id = page.id offset 0) t
        ${TRANSFER_JOINS}
       order by page.id desc`,
    values: sources.values,
  };
}

const merged = ({ branches, areApart }: Sources) => branches.join(areApart ? " union all " : " union ");

/** Everything that the filters match. */
function summaryOf(asked: Asked, found: Found, readable: readonly string[] | null) {
  const sources = sourcesOf(asked, found, readable, {
    columns: "id, amount_in_cents, direction as flow",
    bound: "",
  });
  return {
    text: `select ${SUMMARY_COLUMNS} from (${merged(sources)}) as found where $3::int + $4::int is not null`,
    values: sources.values,
  };
}
