import type { z } from "zod";
import type { newKeySchema } from "@/lib/contract/api-key";
import { createKeyAct } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import type { Permission } from "@/lib/contract/permissions";
import { hashKeyText, keyPrefix, newKeyText } from "@/lib/core/keys/key-text";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** A new key. Its text is shown once and never stored. */
export interface NewKey {
  id: string;
  text: string;
}

/**
 * Creates a key without step-up, for setup, demo and operator, which have no browser; the dashboard uses
 * `createConfirmedApiKey`. Permissions and approval option (on unless switched off) never change afterwards; the daily
 * cap may (`setKeyCap`).
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS`, also for an account or rule of
 * another organization.
 */
export async function createApiKey(
  services: { pool: Queryable },
  context: Context<MemberActor>,
  key: z.output<typeof newKeySchema>,
): Promise<NewKey> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may create a key.");
  }
  await requireOwnAccounts(services.pool, context.organizationId, key.permissions);
  await requireOwnRules(services.pool, context.organizationId, key.permissions);
  return writeApiKey(services.pool, context, key);
}

/** Writes the row of a key whose permissions were already checked. */
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

/** Unknown or foreign ids would look like a limit that limits nothing. */
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

/** As for accounts: an unknown or foreign rule would limit nothing. */
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

/** The distinct accounts that permissions name. Pure. */
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

/** The distinct rules that permissions name. Pure. */
function namedRules(permissions: readonly Permission[]): string[] {
  const ids = permissions.flatMap((permission) =>
    "rules" in permission && permission.rules !== "ALL" ? permission.rules : [],
  );
  return [...new Set(ids)];
}

/**
 * Creates a key for a member at a browser. A key outlives their session, so it requires the same step-up as a change of
 * sign-in methods.
 * @throws NotConfirmed without presence; AppError as `createApiKey`, and `INVALID_PARAMETERS` for a key without
 * permissions.
 */
export async function createConfirmedApiKey(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  input: z.output<typeof newKeySchema>,
): Promise<NewKey> {
  if (input.permissions.length === 0) {
    throw new AppError("INVALID_PARAMETERS", "permissions: choose at least one permission");
  }
  return inTransaction(services.pool, async (client) => {
    await requirePresence(client, context.actor, services.clock.now(), createKeyAct(input));
    const key = await createApiKey({ pool: client }, context, input);
    await noteNewKey(client, context, key);
    return key;
  });
}

/** Notifies every owner and co-owner, the creator included: only their session may have been taken over. */
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
    digestKey: null,
    now,
  });
}
