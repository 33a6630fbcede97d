import type { Pool } from "pg";
import { countSealedValues, SEALED_COLUMNS } from "@/lib/core/work/sealed-values";
import { secretFingerprint } from "@/lib/db/backup/backup-format";
import { applicationPassword } from "@/lib/db/prepare-database";
import {
  createKeyWrapping,
  judgeSecrets,
  readKeptKey,
  readSecretMarker,
  rolePurpose,
  WRONG,
} from "@/lib/db/secret-marker";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Clock } from "@/lib/platform/clock";
import { createEncryption, DecryptionFailed } from "@/lib/platform/encryption";
import { deriveHashKey } from "@/lib/platform/keyed-hash";
import type { Log } from "@/lib/platform/log";
import { createProductSecrets, type ProductSecrets } from "@/lib/platform/product-secrets";
import { derivePushKeys } from "@/lib/ports/messages/create-web-push";

/**
 * Keys that derive from the first secret and are kept when it is replaced: the accounts that a hash stands for and the
 * devices that know this server by its key could not be asked again, and a role has one password.
 */
export interface KeptKeys {
  accountHash: Buffer;
  /** The private key of `PushIdentity`. */
  push: string;
}

const ACCOUNT_HASH = "bank accounts";
const PUSH = "push identity";

interface SettleOptions {
  pool: Pool;
  clock: Clock;
  log: Log;
  /** As the start was given them. */
  secret: string;
  previous: string | null;
  /** The secret that the database was written with is lost (SLUICE_SECRET_LOST). */
  isLost: boolean;
}

export interface SettledSecrets {
  secrets: ProductSecrets;
  keys: KeptKeys;
}

const MAXIMUM_TRIES = 5;

/**
 * Finds which of the given secrets the database is written with, begins to replace it if there is a newer one, and
 * notices wrong ones before anything fails because of them.
 * @throws Error in words if they do not fit the database
 */
export async function settleSecrets(options: SettleOptions): Promise<SettledSecrets> {
  const { pool, clock, log, secret, previous, isLost } = options;
  const secrets = createProductSecrets(secret, previous);
  for (let tries = 0; tries < MAXIMUM_TRIES; tries++) {
    const marker = await readSecretMarker(pool);
    const judgment = judgeSecrets(marker, { secret, previous });
    if (judgment.kind === "FIRST") {
      await writeFirstMarker(pool, await findWriter(pool, secrets, isLost));
      continue;
    }
    if (judgment.kind === "REFUSED") {
      if (!isLost) throw new Error(judgment.problem);
      await acceptLoss(pool, secret);
      log.warn("The secret before is lost: what it encrypted stays unreadable.");
      continue;
    }
    if (judgment.kind === "BEGIN" && previous !== null) {
      if (!(await begin(pool, { secret, previous, now: clock.now() }))) continue;
      log.info("SLUICE_SECRET is being replaced: everything is encrypted again in the background.");
    }
    if (judgment.kind === "FOLLOW" && previous !== null) {
      secrets.writeWith(previous);
      log.info("SLUICE_SECRET_PREVIOUS is the newer secret here, and new values are encrypted with it.");
    }
    if (judgment.kind === "SAME" && previous === null && marker?.previousFingerprint)
      await forgetPrevious(pool);
    return { secrets, keys: await readKeptKeys(pool, secrets) };
  }
  throw new Error("Other processes change the secret of this database all the time. Start again.");
}

/** Which secret opens what is there; the current one if there is nothing. @throws Error if none does */
async function findWriter(pool: Pool, secrets: ProductSecrets, isLost: boolean): Promise<string> {
  let isAnySealed = false;
  for (const column of SEALED_COLUMNS) {
    for (const { sealed, context } of await column.read(pool, null, SAMPLE)) {
      isAnySealed = true;
      for (const secret of secrets.all())
        if (opens(createEncryption(secret, column.purpose), sealed, context)) return secret;
    }
  }
  if (isAnySealed && !isLost) throw new Error(WRONG);
  return secrets.current();
}

const SAMPLE = 100;

function opens({ decrypt }: ReturnType<typeof createEncryption>, sealed: Buffer, context: string): boolean {
  try {
    decrypt(sealed, context);
    return true;
  } catch (error) {
    if (error instanceof DecryptionFailed) return false;
    throw error;
  }
}

async function writeFirstMarker(client: Queryable, secret: string): Promise<void> {
  await client.query("insert into product_secrets (fingerprint) values ($1) on conflict do nothing", [
    secretFingerprint(secret),
  ]);
}

/** What was kept under the lost secret derives from the new one from now on. */
async function acceptLoss(pool: Pool, secret: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query("delete from kept_keys");
    await client.query(
      `update product_secrets set fingerprint = $1, previous_fingerprint = null, began_at = null, finished_at = null,
          remaining_count = null, unreadable_count = null, clean_since = null, renewed_count = 0`,
      [secretFingerprint(secret)],
    );
  });
}

/** @returns false if another process was first */
async function begin(
  pool: Pool,
  { secret, previous, now }: { secret: string; previous: string; now: Date },
): Promise<boolean> {
  const wrapping = createKeyWrapping(createProductSecrets(secret, previous));
  return await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update product_secrets set fingerprint = $1, previous_fingerprint = $2, began_at = $3, renewed_count = 0,
          remaining_count = null, unreadable_count = null, clean_since = null, finished_at = null
        where fingerprint = $2`,
      [secretFingerprint(secret), secretFingerprint(previous), now],
    );
    if (rowCount !== 1) return false;
    const { rows } = await client.query<{ role: string }>("select current_user::text as role");
    const role = rows[0]?.role ?? "";
    const kept: [string, string][] = [
      [ACCOUNT_HASH, deriveHashKey(previous, ACCOUNT_HASH).toString("base64url")],
      [PUSH, derivePushKeys(previous).privateKey],
      [rolePurpose(role), applicationPassword(previous, role)],
    ];
    for (const [purpose, key] of kept)
      await client.query(
        "insert into kept_keys (purpose, sealed_key) values ($1, $2) on conflict (purpose) do nothing",
        [purpose, wrapping.encrypt(key, purpose)],
      );
    await client.query("update product_secrets set remaining_count = $1", [await countSealedValues(client)]);
    return true;
  });
}

/** Started without it, so that it can come back as a new one. */
async function forgetPrevious(pool: Pool): Promise<void> {
  await pool.query(
    `update product_secrets set previous_fingerprint = null, began_at = null, finished_at = null, clean_since = null,
        remaining_count = null where finished_at is not null`,
  );
}

async function readKeptKeys(pool: Pool, secrets: ProductSecrets): Promise<KeptKeys> {
  const accountHash = await readKeptKey(pool, secrets, ACCOUNT_HASH);
  const push = await readKeptKey(pool, secrets, PUSH);
  return {
    accountHash:
      accountHash === null
        ? deriveHashKey(secrets.current(), ACCOUNT_HASH)
        : Buffer.from(accountHash, "base64url"),
    push: push ?? derivePushKeys(secrets.current()).privateKey,
  };
}
