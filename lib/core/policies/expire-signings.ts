import type { Services } from "@/lib/platform/services";

/**
 * Ends the signatures of versions that did not get all of them in time: they are drafts again.
 * @returns how many
 */
export async function expirePolicySignings(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const { rows } = await services.pool.query<{ count: number }>({
    name: "expire_policy_signings",
    text: "select expire_policy_signings($1, $2) as count",
    values: [services.clock.now(), limit],
  });
  return rows[0]?.count ?? 0;
}
