import type { OrganizationChangeKind } from "@/lib/contract/organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/roles";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const COLUMNS = {
  RENAMED: "name",
  TIME_ZONE: "time_zone",
  NEW_POD_FLOOR: "new_pod_floor_in_cents",
  SECOND_FACTOR: "requires_second_factor",
} as const satisfies Partial<Record<OrganizationChangeKind, string>>;

type SettingValue = string | number | boolean | null;

/**
 * Sets one setting of the organization in the caller's transaction, and records who did. An unchanged value is not
 * recorded.
 * @returns the id of the recorded change; null: the value is unchanged.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks.
 */
export async function changeOrganization(
  client: Queryable,
  context: Context<MemberActor>,
  kind: keyof typeof COLUMNS,
  value: SettingValue,
): Promise<string | null> {
  const column = COLUMNS[kind];
  // Locked: of two concurrent changes the second one records what the first one left.
  const { rows } = await client.query<{ value: SettingValue }>(
    `select ${column} as value from organizations where id = $1 for no key update`,
    [context.organizationId],
  );
  await requireDecider(client, context, "change the organization's settings");
  const before = rows[0]?.value ?? null;
  if (before === value) return null;
  await client.query(`update organizations set ${column} = $2 where id = $1`, [
    context.organizationId,
    value,
  ]);
  return recordChange(client, context, { kind, subject: null, before: textOf(before), after: textOf(value) });
}

function textOf(value: SettingValue): string | null {
  return value === null ? null : String(value);
}

/**
 * Renames the organization on pages, statements and in emails from now on. Past messages keep the old name, and so do
 * beneficiaries, whose legal names are independent.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS`.
 */
export async function renameOrganization(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  { name }: { name: string },
): Promise<void> {
  await inTransaction(services.pool, (client) => changeOrganization(client, context, "RENAMED", name));
}
