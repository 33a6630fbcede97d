import type { TestDatabase } from "@/lib/testing/database";

/** What a revocation does to the key itself. */
export async function revokeKey(
  { pool }: Pick<TestDatabase, "pool">,
  organizationId: string,
  keyId: string,
): Promise<void> {
  await pool.query("update api_keys set revoked_at = created_at where organization_id = $1 and id = $2", [
    organizationId,
    keyId,
  ]);
}
