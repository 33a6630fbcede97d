import { wantedConfirmationSchema } from "@/lib/contract/policies/asked-change";
import { readPayeeChange } from "@/lib/core/payees/payee-change";
import { askSigners, readAskedChange, signedChangeOf } from "@/lib/core/policies/asked-changes";
import { readChangeSigning, type SignedChange } from "@/lib/core/policies/sign-change";
import { readVersionDefinition } from "@/lib/core/rules/activation";
import { readVersionChange } from "@/lib/core/rules/version-change";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
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
      const change = await readChange(client, where, id);
      const signing = change && (await readChangeSigning(client, where, change));
      const userIds = signing?.progress.maySign ?? [];
      await askSigners(client, where, { id, userIds, kind: "CHANGE_SIGNATURE_REMINDER" });
    }
    return rows.length;
  });
}

/** As it is now; null: it was decided or replaced. */
async function readChange(
  client: Queryable,
  where: { organizationId: string; now: Date },
  id: string,
): Promise<SignedChange | null> {
  const { organizationId } = where;
  const asked = await readAskedChange(client, organizationId, id);
  if (asked) return signedChangeOf(client, organizationId, asked);
  const { rows } = await client.query<{ targetId: string; wanted: unknown; activeVersion: number | null }>({
    name: "read_signed_confirmation",
    text: `select c.target_id as "targetId", c.wanted, r.active_version as "activeVersion"
        from asked_changes c left join rules r on r.organization_id = $1 and r.id = c.target_id
       where c.organization_id = $1 and c.id = $2`,
    values: [organizationId, id],
  });
  const [row] = rows;
  if (!row) return null;
  const wanted = wantedConfirmationSchema.parse(row.wanted);
  if (wanted.what === "PAYEE") return readPayeeChange(client, organizationId, row.targetId);
  const definition = await readVersionDefinition(client, organizationId, wanted);
  const of = { ruleId: wanted.ruleId, version: wanted.version, activeVersion: row.activeVersion };
  return definition && readVersionChange(client, where, { ...of, definition });
}
