import type { FirstStepView } from "@/lib/contract/views/overview-view";
import type { Queryable } from "@/lib/db/transaction";

interface Row {
  has_moved: boolean;
  has_pod: boolean;
  has_bank: boolean;
  has_rule: boolean;
  has_key: boolean;
}

/** What a new organization does first, and what of it is done, as its data says; null once money has moved. */
export async function readFirstSteps(
  database: Queryable,
  organizationId: string,
): Promise<FirstStepView[] | null> {
  const { rows } = await database.query<Row>({
    name: "read_first_steps",
    text: `
      select exists (select from daily_flows where organization_id = $1) as has_moved,
          exists (select from accounts where organization_id = $1 and type = 'POD' and deleted_at is null) as has_pod,
          exists (select from connections where organization_id = $1 and status <> 'DISCONNECTED') as has_bank,
          exists (select from rules where organization_id = $1 and deleted_at is null) as has_rule,
          exists (select from api_keys where organization_id = $1 and client_id is null and revoked_at is null) as has_key`,
    values: [organizationId],
  });
  const row = rows[0];
  if (!row || row.has_moved) return null;
  return [
    { id: "POD", href: "/accounts/new", isDone: row.has_pod },
    { id: "BANK", href: "/accounts/connect", isDone: row.has_bank },
    { id: "RULE", href: "/rules/new", isDone: row.has_rule },
    { id: "KEY", href: "/settings/api-keys/new", isDone: row.has_key },
  ];
}
