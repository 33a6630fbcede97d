import { tally } from "@/lib/platform/observe/tally";
import type { Services } from "@/lib/platform/services";

interface ExpiredRow {
  organization_id: string;
  id: string;
}

/**
 * Closes proposals that nobody decided within 24 hours of business time; their transfers are denied in the same
 * statement's transaction. Skips what a decision holds locked at the moment: that decision finds it expired itself.
 * @returns how many were closed.
 */
export async function expireProposals(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const { rows } = await services.pool.query<ExpiredRow>({
    name: "expire_proposals",
    text: "select * from expire_proposals($1, $2)",
    values: [services.clock.now(), limit],
  });
  tally("transfers", "EXPIRED", rows.length);
  return rows.length;
}
