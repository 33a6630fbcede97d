import { RECEIVERS_PATH } from "@/lib/core/sandbox/receiver-address";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Lets the endpoints that send to the sandbox's receivers send to where this process answers: an earlier start may have
 * been on another port, where nobody listens now.
 * @returns how many had another address
 */
export async function moveReceivers(services: Pick<Services, "pool" | "appUrl">): Promise<number> {
  // In a transaction that is tried again: of several processes that start at once, two may lock the same endpoints.
  return await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<{ moved: number }>({
      name: "move_sandbox_receivers",
      text: "select move_sandbox_receivers($1) as moved",
      values: [`${services.appUrl}${RECEIVERS_PATH}/`],
    });
    return rows[0]?.moved ?? 0;
  });
}
