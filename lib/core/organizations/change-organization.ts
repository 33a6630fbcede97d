import type { OrganizationChangeKind } from "@/lib/contract/organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import { requireDecider } from "@/lib/core/shared/require-decider";
import type { Queryable } from "@/lib/db/transaction";

const COLUMNS = {
  RENAMED: "name",
  TIME_ZONE: "time_zone",
  NEW_POD_FLOOR: "new_pod_floor_in_cents",
  SECOND_FACTOR: "requires_second_factor",
} as const satisfies Partial<Record<OrganizationChangeKind, string>>;

type SettingValue = string | number | boolean | null;

/**
 * Sets one setting of the organization in the caller's transaction, and writes down who did. What is so already is left
 * alone and not written down.
 * @returns whether it was different before.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks.
 */
export async function changeOrganization(
  client: Queryable,
  context: Context<MemberActor>,
  kind: keyof typeof COLUMNS,
  value: SettingValue,
): Promise<boolean> {
  const column = COLUMNS[kind];
  // Of two at the same moment the second one writes down what the first one left.
  const { rows } = await client.query<{ value: SettingValue }>(
    `select ${column} as value from organizations where id = $1 for no key update`,
    [context.organizationId],
  );
  await requireDecider(client, context, "change the organization's settings");
  const before = rows[0]?.value ?? null;
  if (before === value) return false;
  await client.query(`update organizations set ${column} = $2 where id = $1`, [
    context.organizationId,
    value,
  ]);
  await recordChange(client, context, { kind, subject: null, before: textOf(before), after: textOf(value) });
  return true;
}

function textOf(value: SettingValue): string | null {
  return value === null ? null : String(value);
}
