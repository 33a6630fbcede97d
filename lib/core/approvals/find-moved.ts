import { formatCents } from "@/lib/contract/format-cents";
import type { MoveDraft } from "@/lib/contract/move";
import type { MoveDone, MoveUsed } from "@/lib/contract/views/move-view";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Queryable } from "@/lib/db/transaction";

interface MovedRow {
  id: string;
  amount_in_cents: number;
  description: string | null;
  reason: string | null;
  source_account_id: string;
  destination_account_id: string;
  source_name: string;
  destination_name: string;
  is_own: boolean;
}

/**
 * What a draft has become already: the same transfer (a double click, a retry after a lost answer), or another one that
 * was confirmed under its id, after which it moves nothing more. Null: nothing yet.
 */
export async function findMoved(
  database: Queryable,
  context: Context<MemberActor>,
  draft: MoveDraft,
): Promise<MoveDone | MoveUsed | null> {
  const { rows } = await database.query<MovedRow>({
    name: "find_member_move",
    text: `
      select t.id, t.amount_in_cents, t.description, t.reason_for_approval as reason, t.source_account_id,
          t.destination_account_id, s.name as source_name, d.name as destination_name, m.moved_by = $3 as is_own
        from member_moves m
        join transfers t on t.organization_id = m.organization_id and t.id = m.transfer_id
        join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
        join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
       where m.organization_id = $1 and m.draft_id = $2`,
    values: [context.organizationId, draft.draftId, context.actor.id],
  });
  const moved = rows[0];
  if (!moved) return null;
  const href = proposalHref(moved.id);
  if (moved.is_own && isSame(moved, draft)) return { kind: "MOVED", href };
  return {
    kind: "USED",
    message: `This page moved ${formatCents(moved.amount_in_cents)} from ${moved.source_name} to ${moved.destination_name} before. Nothing more was moved. Start again for another transfer.`,
    href,
  };
}

function isSame(moved: MovedRow, draft: MoveDraft): boolean {
  return (
    moved.amount_in_cents === draft.amountInCents &&
    moved.source_account_id === draft.sourceAccountId &&
    moved.destination_account_id === draft.destinationAccountId &&
    moved.description === draft.achLabel &&
    moved.reason === draft.note
  );
}
