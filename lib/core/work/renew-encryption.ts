import type { Pool } from "pg";
import { SEALED_COLUMNS, type SealedColumn } from "@/lib/core/work/sealed-values";
import { secretFingerprint } from "@/lib/db/backup/backup-format";
import { readSecretMarker, type SecretMarker } from "@/lib/db/secret-marker";
import type { Clock } from "@/lib/platform/clock";
import { createEncryption, DecryptionFailed, type Encryption } from "@/lib/platform/encryption";
import type { Log } from "@/lib/platform/log";
import type { ProductSecrets } from "@/lib/platform/product-secrets";

interface RenewalServices {
  pool: Pool;
  clock: Clock;
  log: Log;
}

/** Others may write with the previous secret until they have seen the marker. */
const FOLLOW_EVERY_MS = 10_000;
const CLEAN_FOR_MS = 60_000;
/** After the end a look is only a check. */
const BETWEEN_CHECKS_MS = 600_000;

/**
 * Encrypts again what the previous secret encrypted, in batches, as long as both are given. It begins again with each
 * process and passes over what is done, so a kill loses nothing. When two looks a minute apart find nothing, the previous
 * secret is no longer needed.
 * @returns runs one batch, and returns `limit` while there is more
 */
export function createRenewal(
  { pool, clock, log }: RenewalServices,
  secrets: ProductSecrets,
): (limit: number) => Promise<number> {
  const encryptions = new Map<SealedColumn, Encryption>(
    SEALED_COLUMNS.map((column) => [column, createEncryption(secrets, column.purpose)]),
  );
  let look = newLook();
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  return async (limit) => {
    if (secrets.all().length === 1) return 0;
    const marker = await readSecretMarker(pool);
    if (marker === null || !follow(secrets, marker) || marker.previousFingerprint === null) return 0;
    if (!secrets.all().some((secret) => secretFingerprint(secret) === marker.previousFingerprint)) return 0;
    const isCheck = marker.finishedAt !== null && look.column === 0 && look.after === null;
    if (isCheck && clock.now().getTime() - checkedAtMs < BETWEEN_CHECKS_MS) return 0;
    const column = SEALED_COLUMNS[look.column];
    const encryption = column && encryptions.get(column);
    if (!column || !encryption) {
      await endLook(pool, look, clock.now());
      if (marker.finishedAt === null && (await readSecretMarker(pool))?.finishedAt)
        log.info(
          "Everything is encrypted with the new SLUICE_SECRET: SLUICE_SECRET_PREVIOUS can be removed from all processes.",
        );
      look = newLook();
      checkedAtMs = clock.now().getTime();
      return 0;
    }
    const values = await column.read(pool, look.after, limit);
    let renewedCount = 0;
    for (const value of values) {
      const renewed = renew(encryption, value);
      if (renewed === "UNREADABLE") look.unreadable += 1;
      else if (renewed !== null) {
        look.found += 1;
        if (await column.replace(pool, value, renewed)) renewedCount += 1;
      }
    }
    if (renewedCount > 0) await noteProgress(pool, renewedCount);
    const last = values.at(-1);
    look =
      last && values.length === limit
        ? { ...look, after: last.keys }
        : { ...look, column: look.column + 1, after: null };
    return limit;
  };
}

/** One pass over all columns. */
interface Look {
  column: number;
  after: readonly string[] | null;
  found: number;
  unreadable: number;
}

const newLook = (): Look => ({ column: 0, after: null, found: 0, unreadable: 0 });

function renew(encryption: Encryption, { sealed, context }: { sealed: Buffer; context: string }) {
  try {
    return encryption.renew(sealed, context);
  } catch (error) {
    if (error instanceof DecryptionFailed) return "UNREADABLE" as const;
    throw error;
  }
}

async function noteProgress(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `update product_secrets set renewed_count = renewed_count + $1,
        remaining_count = greatest(0, coalesce(remaining_count, 0) - $1)`,
    [count],
  );
}

async function endLook(pool: Pool, { found, unreadable }: Look, now: Date): Promise<void> {
  await pool.query(
    `update product_secrets set remaining_count = 0, unreadable_count = $2,
        clean_since = case when $1 = 0 then coalesce(clean_since, $3::timestamptz) end,
        finished_at = case when $1 = 0 and clean_since <= $3::timestamptz - $4 * interval '1 ms'
                           then coalesce(finished_at, $3::timestamptz) end
      where previous_fingerprint is not null`,
    [found, unreadable, now, CLEAN_FOR_MS],
  );
}

/** Makes the secret of the marker the current one. @returns false if it was not given */
function follow(secrets: ProductSecrets, marker: SecretMarker): boolean {
  const chosen = secrets.all().find((secret) => secretFingerprint(secret) === marker.fingerprint);
  if (chosen === undefined) return false;
  if (chosen !== secrets.current()) secrets.writeWith(chosen);
  return true;
}

/** Has this process write with the secret that others have begun to write with, soon after they have. */
export function followSecrets(
  { pool, log }: Pick<RenewalServices, "pool" | "log">,
  secrets: ProductSecrets,
): void {
  if (secrets.all().length === 1) return;
  const look = async () => {
    const marker = await readSecretMarker(pool);
    if (marker) follow(secrets, marker);
  };
  const timer = setInterval(() => {
    look().catch((err: unknown) => log.debug({ err }, "which secret is current could not be read"));
  }, FOLLOW_EVERY_MS);
  timer.unref();
}

interface RotationFigures {
  renewed: number;
  remaining: number;
  unreadable: number;
  isFinished: boolean;
}

/** For metrics and the start's lines; null while no secret is being replaced. */
export async function readRotation(pool: Pick<Pool, "query">): Promise<RotationFigures | null> {
  const marker = await readSecretMarker(pool);
  if (!marker?.previousFingerprint) return null;
  return {
    renewed: marker.renewedCount,
    remaining: marker.remainingCount ?? 0,
    unreadable: marker.unreadableCount ?? 0,
    isFinished: marker.finishedAt !== null,
  };
}
