import type pg from "pg";
import { newId } from "@/lib/platform/ids";

/** Another organization of this server, with nothing and nobody in it. @returns its id */
export async function addOrganization(owner: pg.Pool, name: string): Promise<string> {
  const now = new Date();
  const [organizationId, beneficiaryId, ledgerId] = [newId(now), newId(now), newId(now)];
  await owner.query(
    "insert into organizations values ($1, $2, 'BUSINESS', 'America/New_York', 0, $3, $4, $5)",
    [organizationId, name, ledgerId, beneficiaryId, now],
  );
  await owner.query("insert into beneficiaries values ($1, $2, $3, 'BUSINESS', $4)", [
    organizationId,
    beneficiaryId,
    name,
    now,
  ]);
  await owner.query("insert into ledgers (organization_id, id, kind) values ($1, $2, 'CLEARING')", [
    organizationId,
    ledgerId,
  ]);
  return organizationId;
}
