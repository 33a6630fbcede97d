import type { Pool } from "pg";
import { groupWrites } from "@/lib/core/shared/group-writes";
import type { IdempotentOutcome } from "@/lib/core/shared/idempotency";

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

/** One item of `create_transfers`, whose fields `create-transfer.ts` writes; named here is what it locks. */
export interface TransferItem {
  organizationId: string;
  transfer: { sourceAccountId: string | null; [field: string]: unknown };
  [field: string]: unknown;
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

/** What `foresee_transfer` answers: what of `create_transfers`, and why the accepted transfer would fail; null: it would not. */
export interface ForeseenRow extends Pick<OutcomeRow, "outcome" | "replay_body"> {
  error_code: string | null;
  error_message: string | null;
}

/** What becomes of a live transfer if it is asked for now. Nothing of it is kept. */
export async function foreseeTransfer(pool: Pick<Pool, "query">, item: TransferItem): Promise<ForeseenRow> {
  const { rows } = await pool.query<ForeseenRow>({
    name: "foresee_transfer",
    text: "select * from foresee_transfer($1)",
    values: [JSON.stringify(item)],
  });
  if (!rows[0]) throw new Error("foresee_transfer answered no row");
  return rows[0];
}

/** Writes a simulated transfer with what it found. By itself: dry runs are not many, and hold up no live ones so. */
export async function writeSimulatedTransfer(
  pool: Pick<Pool, "query">,
  item: TransferItem,
): Promise<OutcomeRow> {
  const { rows } = await pool.query<OutcomeRow>({
    name: "write_simulated_transfer",
    text: "select * from write_simulated_transfer($1)",
    values: [JSON.stringify(item)],
  });
  if (!rows[0]) throw new Error("write_simulated_transfer answered no row");
  return rows[0];
}
