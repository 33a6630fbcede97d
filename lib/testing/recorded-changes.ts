import type { OrganizationChangeKind } from "@/lib/contract/organization";
import type { TestDatabase } from "@/lib/testing/database";

interface RecordedChange {
  kind: OrganizationChangeKind;
  subject: string | null;
  before: string | null;
  after: string | null;
  byName: string;
  at: Date;
}

/** The recorded changes of an organization's members, newest first. */
export async function readRecordedChanges(
  { pool }: Pick<TestDatabase, "pool">,
  organizationId: string,
): Promise<RecordedChange[]> {
  const { rows } = await pool.query<RecordedChange>(
    `select c.kind, c.subject, c.value_before as before, c.value_after as after, u.name as "byName", c.changed_at as at
       from organization_changes c join users u on u.id = c.changed_by
      where c.organization_id = $1 order by c.id desc`,
    [organizationId],
  );
  return rows;
}
