import { askSigners, readAskedChange, signedChangeOf } from "@/lib/core/policies/asked-changes";
import { readChangeSigning } from "@/lib/core/policies/sign-change";
import { inTransaction } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/**
 * Ends changes whose signatures did not come in time, and notifies who asked for them.
 * @returns how many
 */
export async function expireAskedChanges(
  { pool, clock }: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  const now = clock.now();
  const { rows } = await pool.query<{ count: number }>({
    name: "expire_asked_changes",
    text: "select expire_asked_changes($1, $2) as count",
    values: [now, Array.from({ length: limit }, () => newId(now))],
  });
  return rows[0]?.count ?? 0;
}

/**
 * Reminds those who may still sign, once a twelfth of the time is left.
 * @returns how many changes
 */
export async function remindOfChanges(
  { pool, clock }: Pick<Services, "pool" | "clock">,
  limit: number,
): Promise<number> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ organizationId: string; id: string; now: Date }>({
      name: "take_change_reminders",
      text: `select organization_id as "organizationId", id, business_now as now from take_change_reminders($1, $2)`,
      values: [clock.now(), limit],
    });
    for (const { id, ...where } of rows) {
      const asked = await readAskedChange(client, where.organizationId, id);
      if (!asked) continue;
      const change = await signedChangeOf(client, where.organizationId, asked);
      const signing = await readChangeSigning(client, where, change);
      const userIds = signing?.progress.maySign ?? [];
      await askSigners(client, where, { id, userIds, kind: "CHANGE_SIGNATURE_REMINDER" });
    }
    return rows.length;
  });
}
