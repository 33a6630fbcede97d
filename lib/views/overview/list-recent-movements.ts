import type { ApprovalStatus } from "@/lib/contract/approvals/approval";
import { runHref } from "@/lib/contract/hrefs";
import type { TransferDirection, TransferStatus } from "@/lib/contract/transfer";
import { approvalStatus, statusOfAccepted } from "@/lib/core/approvals/approval-facts";
import type { ProposalState } from "@/lib/core/approvals/proposal-facts";
import type { Context } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";
import { OUTSIDE_SLUICE } from "@/lib/words/names";

export interface RecentMovementView {
  id: string;
  href: string | null;
  at: string;
  fromName: string;
  toName: string;
  status: ApprovalStatus;
  amountInCents: number;
  /** It came in from outside. */
  isIn: boolean;
}

const SHOWN = 6;
/**
 * How many of the latest are read: dry runs and waiting transfers are skipped, and transfers of one run are combined.
 */
const LOOKED_AT = 300;
const READ = 60;

interface TransferRow {
  id: string;
  status: TransferStatus;
  direction: TransferDirection;
  amountInCents: number;
  createdAt: Date;
  fromName: string | null;
  toName: string | null;
  ruleId: string | null;
  ruleExecutionId: string | null;
  proposalState: ProposalState | null;
  expiresAt: Date | null;
}

interface CardRow {
  id: string;
  subtype: "PURCHASE" | "REFUND" | "PAYOUT";
  amountInCents: number;
  description: string;
  createdAt: Date;
  podName: string;
}

/** The latest movements, newest first: transfers, combined per rule run, and card transactions. */
export async function listRecentMovements(
  database: Queryable,
  context: Pick<Context, "organizationId" | "now">,
): Promise<RecentMovementView[]> {
  const [transfers, cards] = await Promise.all([
    database.query<TransferRow>({
      name: "list_recent_transfers",
      text: LIST_TRANSFERS,
      values: [context.organizationId],
    }),
    database.query<CardRow>({
      name: "list_recent_card_transactions",
      text: LIST_CARD_TRANSACTIONS,
      values: [context.organizationId],
    }),
  ]);
  return [
    ...groupByRun(transfers.rows).map((rows) => toMovement(rows, context.now)),
    ...cards.rows.map(toCardMovement),
  ]
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, SHOWN);
}

type Rows = [TransferRow, ...TransferRow[]];

function groupByRun(rows: readonly TransferRow[]): Rows[] {
  const groups = new Map<string, Rows>();
  for (const row of rows) {
    const key = row.ruleExecutionId ?? row.id;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

function toMovement(rows: Rows, now: Date): RecentMovementView {
  const [first] = rows;
  const isSingle = rows.length === 1;
  const statuses = new Set(rows.map((row) => statusOf(row, now)));
  return {
    id: first.id,
    href:
      first.ruleId !== null && first.ruleExecutionId !== null
        ? runHref(first.ruleId, first.ruleExecutionId)
        : `/transfers/${first.id}`,
    at: first.createdAt.toISOString(),
    fromName: endName(rows.map((row) => row.fromName)),
    toName: endName(rows.map((row) => row.toName)),
    status: statuses.size === 1 ? statusOf(first, now) : mixedStatus(statuses),
    amountInCents: rows.reduce((sum, row) => sum + row.amountInCents, 0),
    isIn: isSingle && first.direction === "MONEY_IN",
  };
}

function mixedStatus(statuses: ReadonlySet<ApprovalStatus>): ApprovalStatus {
  return statuses.has("ON_ITS_WAY") ? "ON_ITS_WAY" : "PARTIAL";
}

function endName(names: readonly (string | null)[]): string {
  const different = new Set(names);
  return different.size === 1 ? (names[0] ?? OUTSIDE_SLUICE) : `${different.size} accounts`;
}

function statusOf(row: TransferRow, now: Date): ApprovalStatus {
  if (row.proposalState === null || row.expiresAt === null) return statusOfAccepted(row.status);
  return approvalStatus({ state: row.proposalState, status: row.status, expiresAt: row.expiresAt }, now);
}

function toCardMovement(row: CardRow): RecentMovementView {
  const isIn = row.subtype !== "PURCHASE";
  const merchant = row.description || "A card payment";
  return {
    id: row.id,
    href: null,
    at: row.createdAt.toISOString(),
    fromName: isIn ? merchant : row.podName,
    toName: isIn ? row.podName : merchant,
    status: "SETTLED",
    amountInCents: row.amountInCents,
    isIn,
  };
}

/** Reads the key's index, at most `LOOKED_AT` rows: bounded even for an organization with only dry runs. */
const LIST_TRANSFERS = `
  select t.id, t.status, t.direction, t.amount_in_cents as "amountInCents", t.created_at as "createdAt",
      coalesce(s.name, nullif(t.counterparty_name, '')) as "fromName",
      coalesce(d.name, nullif(t.counterparty_name, '')) as "toName",
      t.rule_id as "ruleId", t.rule_execution_id as "ruleExecutionId", p.state as "proposalState",
      p.expires_at as "expiresAt"
    from (
      select * from (
        select * from transfers where organization_id = $1 order by id desc limit ${LOOKED_AT}) latest
       where execution_mode = 'LIVE' and status <> 'APPROVAL_PENDING'
       order by id desc limit ${READ}) t
    left join accounts s on s.organization_id = $1 and s.id = t.source_account_id
    left join accounts d on d.organization_id = $1 and d.id = t.destination_account_id
    left join proposals p on p.organization_id = $1 and p.id = t.id
   order by t.id desc`;

const LIST_CARD_TRANSACTIONS = `
  select c.id, c.subtype, c.amount_in_cents as "amountInCents", c.description, c.created_at as "createdAt",
      pod.name as "podName"
    from (
      select * from card_transactions where organization_id = $1
       order by created_at desc, id desc limit ${SHOWN}) c
    join accounts pod on pod.organization_id = $1 and pod.id = c.account_id
   order by c.created_at desc, c.id desc`;
