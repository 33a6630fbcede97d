import { keyAlertSchema } from "@/lib/contract/key-alert";
import type { KeyAlertView } from "@/lib/contract/views/keys-view";
import type { Queryable } from "@/lib/db/transaction";

const LISTED = 8;

interface AlertRow {
  id: string;
  kind: string;
  facts: object;
  noticed_at: Date;
}

/** Unusual use of a key that its owners were told of, newest first. */
export async function readKeyAlerts(
  database: Queryable,
  organizationId: string,
  keyId: string,
): Promise<KeyAlertView[]> {
  const { rows } = await database.query<AlertRow>({
    name: "read_key_alerts",
    text: `
      select id, kind, facts, noticed_at from key_alerts
       where organization_id = $1 and api_key_id = $2 order by id desc limit ${LISTED}`,
    values: [organizationId, keyId],
  });
  return rows.map(({ id, kind, facts, noticed_at }) => ({
    id,
    at: noticed_at.toISOString(),
    alert: keyAlertSchema.parse({ ...facts, kind }),
  }));
}
