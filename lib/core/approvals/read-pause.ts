import { ruleHref, runHref } from "@/lib/contract/hrefs";
import type { TransferStatus } from "@/lib/contract/transfer";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/** The limit of a chain (docs/behavior/rules.md). */
const MAXIMUM_DEPTH = 10;
const MAXIMUM_RUNS = 500;
const MAXIMUM_TRANSFERS = 200;

/** State of the reversal of one transfer. */
export type ReversalState = "NOT_PROPOSED" | "WAITING" | "ON_ITS_WAY" | "DONE" | "DENIED" | "FAILED";

interface PausedRow {
  name: string;
  pausedAt: Date;
  transferId: string;
  amountInCents: number;
  fromName: string | null;
  accountName: string | null;
  balanceInCents: number | null;
  completedAt: Date | null;
  returnedAt: Date;
  errorCode: string | null;
}

/**
 * Why a rule is paused: the returned transfer, and everything that rules did with its money, chains included, each with
 * the state of its reversal. Null if the rule does not exist or is not paused.
 */
export async function readPause(
  services: Pick<Services, "pool">,
  { organizationId }: Pick<Context, "organizationId">,
  ruleId: string,
) {
  const row = await readPaused(services.pool, organizationId, ruleId);
  if (!row) return null;
  const split = await readSplit(services.pool, organizationId, row.transferId);
  const settled = split.filter(({ status }) => status === "COMPLETE");
  return {
    rule: { id: ruleId, name: row.name, href: ruleHref(ruleId) },
    pausedAt: row.pausedAt.toISOString(),
    returned: {
      amountInCents: row.amountInCents,
      fromName: row.fromName,
      accountName: row.accountName ?? "an account outside Sluice",
      arrivedAt: row.completedAt?.toISOString() ?? null,
      returnedAt: row.returnedAt.toISOString(),
      code: row.errorCode,
    },
    balanceInCents: row.balanceInCents,
    // Latest first: money moved on must be back before what brought it there.
    transfers: settled.slice(0, MAXIMUM_TRANSFERS).map(toSplitTransfer),
    hasMore: split.length > MAXIMUM_TRANSFERS,
    // They cannot be reversed before they settle.
    onTheirWayCount: split.filter(({ status }) => status === "PROCESSING").length,
  };
}

async function readPaused(
  database: Queryable,
  organizationId: string,
  ruleId: string,
): Promise<PausedRow | undefined> {
  const { rows } = await database.query<PausedRow>({
    name: "read_paused_rule",
    text: `
      select r.name, r.paused_at as "pausedAt", t.id as "transferId", t.amount_in_cents as "amountInCents",
          t.completed_at as "completedAt", t.updated_at as "returnedAt",
          coalesce(s.name, t.counterparty_name) as "fromName", d.name as "accountName", t.error_code as "errorCode",
          l.credits_in_cents - l.debits_in_cents as "balanceInCents"
        from rules r
        join transfers t on t.organization_id = $1 and t.id = r.paused_by_transfer_id
        left join accounts s on s.organization_id = $1 and s.id = t.source_account_id
        left join accounts d on d.organization_id = $1 and d.id = t.destination_account_id
        left join ledgers l on l.organization_id = $1 and l.id = t.destination_account_id
       where r.organization_id = $1 and r.id = $2 and r.paused_at is not null`,
    values: [organizationId, ruleId],
  });
  return rows[0];
}

interface SplitRow {
  id: string;
  status: TransferStatus;
  fromName: string;
  toName: string;
  amountInCents: number;
  completedAt: Date | null;
  createdAt: Date;
  executionId: string;
  ruleId: string;
  ruleName: string;
  depth: number;
  reversalId: string | null;
  reversalStatus: TransferStatus | null;
}

/** Runs are a tree, because each has one cause: recurses by cause, level by level, up to the bounds. */
async function readSplit(
  database: Queryable,
  organizationId: string,
  returnedTransferId: string,
): Promise<SplitRow[]> {
  const { rows } = await database.query<SplitRow>({
    name: "read_split",
    text: `
      with recursive runs as (
        select e.id, e.rule_id, 0 as depth from rule_executions e
         where e.organization_id = $1 and e.cause_id = $2 and e.cause_kind = 'TRANSFER'
        union all
        select e.id, e.rule_id, runs.depth + 1
          from runs
          join transfers t on t.organization_id = $1 and t.rule_execution_id = runs.id
          join rule_executions e on e.organization_id = $1 and e.cause_id = t.id::text and e.cause_kind = 'TRANSFER'
         where runs.depth < ${MAXIMUM_DEPTH}),
      bounded as (select * from runs limit ${MAXIMUM_RUNS})
      select t.id, t.status, s.name as "fromName", d.name as "toName", t.amount_in_cents as "amountInCents",
          t.completed_at as "completedAt", t.created_at as "createdAt",
          runs.id as "executionId", runs.rule_id as "ruleId", r.name as "ruleName", runs.depth,
          reversal.id as "reversalId",
          reversal.status as "reversalStatus"
        from bounded runs
        join rules r on r.organization_id = $1 and r.id = runs.rule_id
        join transfers t on t.organization_id = $1 and t.rule_execution_id = runs.id
          and t.status in ('COMPLETE', 'PROCESSING') and t.execution_mode = 'LIVE'
        join accounts s on s.organization_id = $1 and s.id = t.source_account_id
        join accounts d on d.organization_id = $1 and d.id = t.destination_account_id
        left join lateral (
          select back.id, back.status from transfer_reversals v
            join transfers back on back.organization_id = $1 and back.id = v.reversal_id
           where v.organization_id = $1 and v.transfer_id = t.id order by back.id desc limit 1) reversal on true
       order by runs.depth desc, t.id desc
       limit ${MAXIMUM_TRANSFERS + 1}`,
    values: [organizationId, returnedTransferId],
  });
  return rows;
}

function toSplitTransfer(row: SplitRow) {
  return {
    id: row.id,
    fromName: row.fromName,
    toName: row.toName,
    amountInCents: row.amountInCents,
    settledAt: (row.completedAt ?? row.createdAt).toISOString(),
    ruleName: row.ruleName,
    runHref: runHref(row.ruleId, row.executionId),
    depth: row.depth,
    reversal: {
      state: reversalState(row.reversalStatus),
      href: row.reversalId === null ? null : proposalHref(row.reversalId),
    },
    moveBackHref: `/transfers/${row.id}/move-back`,
  };
}

function reversalState(status: TransferStatus | null): ReversalState {
  switch (status) {
    case null:
      return "NOT_PROPOSED";
    case "APPROVAL_PENDING":
      return "WAITING";
    case "PROCESSING":
      return "ON_ITS_WAY";
    case "COMPLETE":
      return "DONE";
    case "APPROVAL_DENIED":
      return "DENIED";
    default:
      return "FAILED";
  }
}
