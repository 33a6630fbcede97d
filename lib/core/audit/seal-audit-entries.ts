import type { Services } from "@/lib/platform/services";

/**
 * Seals waiting entries of the audit logs of all organizations, oldest first: each becomes the next link of its
 * organization's chain (docs/audit.md). Several processes may run it at once.
 * @param restMs none are sealed while the oldest is younger: with several processes, each would otherwise seal a few
 * @returns how many entries it sealed.
 */
export async function sealAuditEntries(
  services: Pick<Services, "pool" | "clock">,
  limit: number,
  restMs = 0,
): Promise<number> {
  const { rows } = await services.pool.query<{ sealed: number }>({
    name: "seal_audit_entries",
    text: "select seal_audit_entries($1, $2, $3) as sealed",
    values: [services.clock.now(), limit, restMs],
  });
  return rows[0]?.sealed ?? 0;
}
