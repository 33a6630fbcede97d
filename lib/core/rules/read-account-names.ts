import type { AccountNames } from "@/lib/contract/views/rule-parts";
import type { Queryable } from "@/lib/platform/db/transaction";

interface Row {
  id: string;
  name: string;
  type: "POD" | "INCOME_SOURCE" | "EXTERNAL_ACCOUNT";
  external_account_type: string | null;
  is_closed: boolean;
}

/** What accounts are called now, closed ones included; an id that the organization does not have is left out. */
export async function readAccountNames(
  database: Queryable,
  organizationId: string,
  accountIds: readonly string[],
): Promise<AccountNames> {
  const { rows } = await database.query<Row>({
    name: "read_account_names",
    text: `
      select id, name, type, external_account_type, deleted_at is not null as is_closed
        from accounts where organization_id = $1 and id = any ($2)`,
    values: [organizationId, accountIds],
  });
  return Object.fromEntries(
    rows.map(({ id, name, type, external_account_type, is_closed }) => [
      id,
      { name, kind: external_account_type === "LIABILITY" ? "LIABILITY" : type, isClosed: is_closed },
    ]),
  );
}
