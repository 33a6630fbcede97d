import { newId } from "@/lib/platform/ids";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";

interface BookedRow {
  organizationId: string;
  id: string;
  status: "COMPLETE" | "FAILED" | "PROCESSING";
  lastError: string | null;
}

/**
 * Books due transfers between managed accounts and fails those that cannot be booked. One round trip and one
 * transaction for the batch: claim, entries, balances and states.
 * @returns the number of claimed transfers.
 */
export async function bookDueTransfers(
  services: Pick<Services, "pool" | "clock" | "log">,
  limit: number,
): Promise<number> {
  const now = services.clock.now();
  const entryIds = Array.from({ length: limit }, () => newId(now));
  const { rows } = await services.pool.query<BookedRow>({
    name: "book_due_transfers",
    text: `select organization_id as "organizationId", id, status, last_error as "lastError"
      from book_due_transfers($1, $2)`,
    values: [now, entryIds],
  });
  for (const row of rows) {
    if (row.status !== "PROCESSING") incrementCounter("transfers", row.status);
    if (row.lastError === null) continue;
    services.log.error(
      { organizationId: row.organizationId, transferId: row.id, error: row.lastError },
      "a transfer could not be booked and will be retried",
    );
  }
  return rows.length;
}
