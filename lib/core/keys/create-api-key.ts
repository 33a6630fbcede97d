import type { z } from "zod";
import type { newKeySchema } from "@/lib/contract/api-key";
import { createKeyAct } from "@/lib/contract/confirmation/step-up";
import { AppError } from "@/lib/contract/error";
import type { Permission } from "@/lib/contract/permissions";
import type { MadeKey, WantedKey } from "@/lib/contract/policies/asked-change";
import { hashKeyText, keyPrefix, newKeyText } from "@/lib/core/keys/key-text";
import { askForSignatures } from "@/lib/core/policies/asked-changes";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { writeNotice } from "@/lib/core/shared/write-notice";
import { lockOrganization } from "@/lib/core/sign-in/lock-organization";
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
  await requireKnown(services.pool, context.organizationId, key.permissions);
  return writeApiKey(services.pool, context, key);
}

interface KeyFacts {
  name: string;
  permissions: readonly Permission[];
  dailyCapInCents: number | null;
}

/** Writes the row of a key whose permissions were already checked. */
export async function writeApiKey(
  database: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  key: KeyFacts,
): Promise<NewKey> {
  const text = newKeyText();
  const id = newId(now);
  const secret = { id, prefix: keyPrefix(text), keyHash: hashKeyText(text) };
  await insertApiKey(database, { organizationId, now }, { ...key, ...secret, createdById: actor.id });
  return { id, text };
}

interface KeyRow extends KeyFacts {
  id: string;
  prefix: string;
  keyHash: Buffer;
  createdById: string;
}

/** From then on its secret authenticates. */
export async function insertApiKey(
  database: Queryable,
  { organizationId, now }: Pick<Context, "organizationId" | "now">,
  { id, name, permissions, dailyCapInCents, prefix, keyHash, createdById }: KeyRow,
): Promise<void> {
  await database.query(
    `insert into api_keys (organization_id, id, name, prefix, key_hash, permissions, created_by, created_at,
        daily_cap_in_cents)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      organizationId,
      id,
      name,
      prefix,
      keyHash,
      JSON.stringify(permissions),
      createdById,
      now,
      dailyCapInCents,
    ],
  );
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
 * sign-in methods. Where the policy in force asks for the signatures of others, there is no key before the last one: who asked
 * gets its secret, whose hash waits with what they asked for.
 * @throws NotConfirmed without presence; AppError as `createApiKey`, and `INVALID_PARAMETERS` for a key without
 * permissions.
 */
export async function createConfirmedApiKey(
  services: Pick<Services, "pool" | "clock" | "wake">,
  context: Context<MemberActor>,
  input: z.output<typeof newKeySchema>,
): Promise<MadeKey> {
  if (input.permissions.length === 0) {
    throw new AppError("INVALID_PARAMETERS", "permissions: choose at least one permission");
  }
  const made = await inTransaction(services.pool, async (client): Promise<MadeKey> => {
    const method = await requirePresence(client, context.actor, services.clock.now(), createKeyAct(input));
    await lockOrganization(client, context.organizationId);
    await requireDecider(client, context, "create a key");
    await requireKnown(client, context.organizationId, input.permissions);
    const { secret, ...key } = newSecret(context.now, input);
    const wanted = { what: "NEW_KEY", ...key } as const;
    const asked = { wanted, subject: input.name, keyHash: secret.keyHash };
    const href = await askForSignatures(client, context, asked, method);
    if (href !== null) return { kind: "ASKED", href, text: secret.text };
    await insertApiKey(client, context, {
      ...key,
      id: key.keyId,
      keyHash: secret.keyHash,
      createdById: context.actor.id,
    });
    await noteNewKey(client, context, { id: key.keyId });
    return { kind: "CREATED", id: key.keyId, text: secret.text };
  });
  services.wake(SEND_NOTICES);
  return made;
}

/** What a key that may wait for signatures is made of. `secret.text` is shown once and never stored. */
export function newSecret(now: Date, { name, permissions, dailyCapInCents }: KeyFacts) {
  const text = newKeyText();
  return {
    keyId: newId(now),
    name,
    prefix: keyPrefix(text),
    permissions: [...permissions],
    dailyCapInCents,
    secret: { text, keyHash: hashKeyText(text) },
  };
}

/** Who asked for a key, and the hash of the secret that they were shown. */
export interface AskedKey {
  askedById: string;
  keyHash: Buffer;
}

/**
 * Makes a key that was asked for, with its last signature.
 * @returns false if an account or rule that it names was closed or deleted meanwhile
 */
export async function applyNewKey(
  client: Queryable,
  context: Context<MemberActor>,
  { keyId, ...key }: Extract<WantedKey, { what: "NEW_KEY" }>,
  { askedById, keyHash }: AskedKey,
): Promise<boolean> {
  try {
    await requireKnown(client, context.organizationId, key.permissions);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
  await insertApiKey(client, context, { ...key, id: keyId, keyHash, createdById: askedById });
  await noteNewKey(client, context, { id: keyId });
  return true;
}

/** @throws AppError `INVALID_PARAMETERS` for an account or rule of another organization */
async function requireKnown(
  database: Queryable,
  organizationId: string,
  permissions: readonly Permission[],
): Promise<void> {
  await requireOwnAccounts(database, organizationId, permissions);
  await requireOwnRules(database, organizationId, permissions);
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
