import type { ApprovalSearch, DecidedState } from "@/lib/contract/search/list-search";
import type { ProposalState } from "@/lib/core/approvals/proposal-facts";
import { type MovementScan, movementWindow, SqlValues } from "@/lib/views/movements/movement-query";

const STATES: Record<DecidedState, ProposalState> = {
  approved: "APPROVED",
  denied: "DENIED",
  expired: "EXPIRED",
  revoked: "REVOKED",
  ended: "RULE_CHANGED",
  withdrawn: "WITHDRAWN",
};

/** What the list shows as the amount of proposal `b`: of a run, the moves of its plan, or none if one of them failed. */
const SUBJECT_AMOUNT = `coalesce(
  (select t.amount_in_cents from transfers t
    where b.kind = 'TRANSFER' and t.organization_id = b.organization_id and t.id = b.id),
  (select moves.total from rule_executions e
     cross join lateral (
       select coalesce(sum((m.move ->> 'amountInCents')::bigint) filter (where m.move ->> 'outcome' = 'MOVE'), 0) as total
         from jsonb_array_elements(e.plan -> 'moves') m (move)
       having not coalesce(bool_or(m.move ->> 'outcome' = 'FAILED'), false)) moves
    where b.kind = 'RULE_RUN' and e.organization_id = b.organization_id and e.id = b.id and e.plan is not null))`;

const MAXIMUM_ROWS_READ = 20_000;

/** The scan behind the list of decided proposals, along their partial index. `$1` is the organization. */
export function decidedScan(organizationId: string, search: ApprovalSearch, timeZone: string): MovementScan {
  const values = new SqlValues();
  values.add(organizationId);
  const { decided, decider, by } = search;
  // Without days, the window is open-ended at any time.
  const { from, to } = movementWindow({ ...search, days: "all" }, new Date(0), timeZone);
  const within = [
    "t.state <> 'WAITING'",
    ...(from ? [`t.decided_at >= ${values.add(from)}::timestamptz`] : []),
    ...(to ? [`t.decided_at <= ${values.add(to)}::timestamptz`] : []),
  ];
  const filters: (() => string)[] = [];
  if (decided) filters.push(() => `b.state = '${STATES[decided]}'`);
  if (decider) filters.push(() => `b.decided_by = ${values.add(decider)}::uuid`);
  if (by) filters.push(() => `b.api_key_id = ${values.add(by)}::uuid`);
  return {
    table: { name: "proposals", orderColumn: "decided_at" },
    branches: [within.join(" and ")],
    filters,
    values,
    money: () => ({ amountInCents: SUBJECT_AMOUNT, flow: "0" }),
    maximumRowsRead: MAXIMUM_ROWS_READ,
  };
}
