import { newKeySchema } from "@/lib/contract/api-key";
import { AppError } from "@/lib/contract/error";
import type { Permission, PermissionInput } from "@/lib/contract/permissions";
import { hashKeyText, keyPrefix, newKeyText } from "@/lib/core/keys/key-text";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** A key that was just made. Its text is stored nowhere and shown once. */
export interface NewKey {
  id: string;
  text: string;
}

/**
 * Makes a key without asking whether the member themself sits there: for setup, demo and operator, which have no
 * browser. The dashboard uses `createConfirmedApiKey`. Permissions, approval option included (on unless switched off),
 * never change afterwards; the daily cap may (`setKeyCap`).
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS`, also for an account or a
 * rule that is not this organization's.
 */
export async function createApiKey(
  services: { pool: Queryable },
  context: Context<MemberActor>,
  input: { name: string; permissions: PermissionInput[]; dailyCapInCents?: number | null },
): Promise<NewKey> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may make a key.");
  }
  const parsed = newKeySchema.safeParse(input);
  if (!parsed.success) {
    const details = parsed.error.issues.map((issue) => ({
      field: issue.path.join("."),
      message: issue.message,
    }));
    throw new AppError("INVALID_PARAMETERS", `${details[0]?.field}: ${details[0]?.message}`, details);
  }
  await requireOwnAccounts(services.pool, context.organizationId, parsed.data.permissions);
  await requireOwnRules(services.pool, context.organizationId, parsed.data.permissions);
  return writeApiKey(services.pool, context, parsed.data);
}

/** Writes the row of a key whose permissions have been checked. */
export async function writeApiKey(
  database: Queryable,
  context: Context<MemberActor>,
  {
    name,
    permissions,
    dailyCapInCents,
  }: { name: string; permissions: readonly Permission[]; dailyCapInCents: number | null },
): Promise<NewKey> {
  const text = newKeyText();
  const id = newId(context.now);
  await database.query(
    `insert into api_keys (organization_id, id, name, prefix, key_hash, permissions, created_by, created_at,
        daily_cap_in_cents)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      context.organizationId,
      id,
      name,
      keyPrefix(text),
      hashKeyText(text),
      JSON.stringify(permissions),
      context.actor.id,
      context.now,
      dailyCapInCents,
    ],
  );
  return { id, text };
}

/** A list of ids that nobody has would look like a limit, and another organization's would be none. */
async function requireOwnAccounts(
  database: Queryable,
  organizationId: string,
  permissions: readonly Permission[],
): Promise<void> {
  const ids = namedAccounts(permissions);
  if (ids.length === 0) return;
  const { rows } = await database.query<{ id: string }>({
    name: "find_named_accounts",
    text: "select id from accounts where organization_id = $1 and id = any ($2) and deleted_at is null",
    values: [organizationId, ids],
  });
  const known = new Set(rows.map((row) => row.id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) {
    throw new AppError(
      "INVALID_PARAMETERS",
      `permissions: there is no open account ${missing} in this organization`,
    );
  }
}

/** As of accounts: a rule that does not exist, or is another organization's, is no limit. */
async function requireOwnRules(
  database: Queryable,
  organizationId: string,
  permissions: readonly Permission[],
): Promise<void> {
  const ids = namedRules(permissions);
  if (ids.length === 0) return;
  const { rows } = await database.query<{ id: string }>({
    name: "find_named_rules",
    text: "select id from rules where organization_id = $1 and id = any ($2) and deleted_at is null",
    values: [organizationId, ids],
  });
  const known = new Set(rows.map((row) => row.id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) {
    throw new AppError("INVALID_PARAMETERS", `permissions: there is no rule ${missing} in this organization`);
  }
}

/** The accounts that permissions name one by one, each once. Pure. */
function namedAccounts(permissions: readonly Permission[]): string[] {
  const ids = permissions.flatMap((permission) => {
    switch (permission.type) {
      case "READ_ACCOUNTS":
      case "READ_TRANSFERS":
        return permission.accounts === "ALL" ? [] : permission.accounts;
      case "MANUAL_TRANSFER":
        return permission.entries.flatMap(({ source, target }) => [source, target]);
      default:
        return [];
    }
  });
  return [...new Set(ids)].filter((id) => id !== "ANY");
}

/** The rules that permissions name one by one, each once. Pure. */
function namedRules(permissions: readonly Permission[]): string[] {
  const ids = permissions.flatMap((permission) =>
    "rules" in permission && permission.rules !== "ALL" ? permission.rules : [],
  );
  return [...new Set(ids)];
}

/**
 * Makes a key for a member at a browser: a key outlives their session, so it takes the same proof as changing the ways
 * to sign in.
 * @throws NotConfirmed without presence; AppError as `createApiKey`, and `INVALID_PARAMETERS` for a key that may do
 * nothing.
 */
export async function createConfirmedApiKey(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  input: { name: string; permissions: PermissionInput[]; dailyCapInCents?: number | null },
): Promise<NewKey> {
  if (input.permissions.length === 0) {
    throw new AppError("INVALID_PARAMETERS", "permissions: pick at least one thing that the key may do");
  }
  return inTransaction(services.pool, async (client) => {
    await requirePresence(client, context.actor, services.clock.now());
    const key = await createApiKey({ pool: client }, context, input);
    await noteNewKey(client, context, key);
    return key;
  });
}

/** Every owner and co-owner hears of a key made in the dashboard, its maker included: it may have been their session only. */
export async function noteNewKey(
  client: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  { id }: { id: string },
): Promise<void> {
  await writeNotice(client, {
    organizationId,
    kind: "KEY_CREATED",
    subjectId: id,
    userId: null,
    toldTogetherBy: organizationId,
    now,
  });
}
