import type { Pool } from "pg";
import { groupWrites } from "@/lib/core/group-writes";
import type { IdempotentOutcome } from "@/lib/core/idempotency";

/** What `create_transfers` answers for one item. */
export interface OutcomeRow extends IdempotentOutcome {
  outcome:
    | "CREATED"
    | "REPLAY"
    | "IN_PROGRESS"
    | "KEY_REVOKED"
    | "GATES_CLOSED"
    | "TOO_MANY_WAITING"
    /** Nothing was written: it takes an approval. `replay_body` is an `AboveCap`. */
    | "ABOVE_CAP";
}

/** One item of `create_transfers`, whose fields `create-transfer.ts` writes; what matters here is what it locks. */
export interface TransferItem {
  organizationId: string;
  transfer: { sourceAccountId: string | null };
}

const write = groupWrites<TransferItem, OutcomeRow>({
  name: "create_transfers",
  text: "select * from write_transfers($1)",
  compare: (left, right) => (keyOf(left) < keyOf(right) ? -1 : keyOf(left) > keyOf(right) ? 1 : 0),
});

const keyOf = ({ organizationId, transfer }: TransferItem) => `${organizationId} ${transfer.sourceAccountId}`;

/** Writes one transfer, in one transaction with those that are asked for at the same moment. */
export function writeTransfer(pool: Pick<Pool, "query">, item: TransferItem): Promise<OutcomeRow> {
  return write(pool, item);
}
