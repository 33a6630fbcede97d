import type { AccountKind } from "@/lib/contract/account";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import type { Queryable } from "@/lib/db/transaction";

interface Row {
  id: string;
  name: string;
  kind: AccountKind;
  isClosed: boolean;
}

/** Account names for sentences about rules, closed accounts included; accounts of other organizations are omitted. */
export async function readAccountNames(
  database: Queryable,
  organizationId: string,
  accountIds: readonly string[],
): Promise<AccountNames> {
  if (accountIds.length === 0) return {};
  const { rows } = await database.query<Row>({
    name: "read_account_names",
    text: `
      select a.id, a.name, a.deleted_at is not null as "isClosed",
          case when a.external_account_type = 'LIABILITY' then 'LIABILITY' else a.type end as kind
        from accounts a where a.organization_id = $1 and a.id = any ($2)`,
    values: [organizationId, accountIds],
  });
  return Object.fromEntries(rows.map(({ id, ...account }) => [id, account]));
}

/** The accounts of a run, by their names at that time. */
export function namesOf(facts: Pick<RuleFacts, "accounts">): AccountNames {
  return Object.fromEntries(
    Object.entries(facts.accounts).map(([id, { name, type, externalAccountType, isClosed }]) => [
      id,
      { name, kind: externalAccountType === "LIABILITY" ? "LIABILITY" : type, isClosed },
    ]),
  );
}
