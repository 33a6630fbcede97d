import { secretFingerprint } from "@/lib/db/backup/backup-format";
import type { Queryable } from "@/lib/db/transaction";
import { createEncryption } from "@/lib/platform/encryption";
import type { ProductSecrets } from "@/lib/platform/product-secrets";

/** What the database knows of the secret that it is written with (`product_secrets`). */
export interface SecretMarker {
  fingerprint: string;
  previousFingerprint: string | null;
  beganAt: Date | null;
  renewedCount: number;
  /** Null: not counted yet. */
  remainingCount: number | null;
  unreadableCount: number | null;
  finishedAt: Date | null;
}

/** @returns null before the first start with this version */
export async function readSecretMarker(client: Queryable): Promise<SecretMarker | null> {
  if (!(await hasTable(client, "product_secrets"))) return null;
  const { rows } = await client.query<SecretMarker>(
    `select fingerprint, previous_fingerprint as "previousFingerprint", began_at as "beganAt",
            renewed_count::float8 as "renewedCount", remaining_count::float8 as "remainingCount",
            unreadable_count::float8 as "unreadableCount", finished_at as "finishedAt"
       from product_secrets`,
  );
  return rows[0] ?? null;
}

/** What a start with these secrets does on a database with this marker. */
export type SecretJudgment =
  | { kind: "FIRST" | "SAME" | "FOLLOW" | "BEGIN" }
  | { kind: "REFUSED"; problem: string };

/**
 * Decides from fingerprints alone.
 * - `SAME`: the database is written with `secret`.
 * - `BEGIN`: it is written with `previous`, which `secret` replaces from now on.
 * - `FOLLOW`: `previous` has replaced `secret`; this process was started with the old order and writes with the new one.
 */
export function judgeSecrets(
  marker: SecretMarker | null,
  { secret, previous }: { secret: string; previous: string | null },
): SecretJudgment {
  if (marker === null) return { kind: "FIRST" };
  const [own, other] = [secretFingerprint(secret), previous === null ? null : secretFingerprint(previous)];
  const isUnfinished = marker.previousFingerprint !== null && marker.finishedAt === null;
  if (marker.fingerprint === own) {
    if (isUnfinished && other !== marker.previousFingerprint) return { kind: "REFUSED", problem: UNFINISHED };
    return { kind: "SAME" };
  }
  if (marker.fingerprint === other) {
    if (marker.previousFingerprint === own) return { kind: "FOLLOW" };
    return isUnfinished ? { kind: "REFUSED", problem: UNFINISHED } : { kind: "BEGIN" };
  }
  return { kind: "REFUSED", problem: marker.previousFingerprint === own ? REPLACED : WRONG };
}

const HOW = 'See docs/security.md, "Rotating the secret".';
const UNFINISHED =
  "SLUICE_SECRET is being replaced, and some values are still encrypted with the one before: give that one as " +
  `SLUICE_SECRET_PREVIOUS until Sluice says that it can be removed. ${HOW}`;
const REPLACED =
  "SLUICE_SECRET is the one before: this database is written with its successor. Give that one as SLUICE_SECRET, and " +
  `this one as SLUICE_SECRET_PREVIOUS as long as it is needed. ${HOW}`;
/** Also what a sample of encrypted values tells, before there is a marker. */
export const WRONG =
  "SLUICE_SECRET (or the file `secret` in the data folder) is not the one that this database was written with: webhooks, " +
  "authenticator apps, bank connections and notifications would fail one by one. Give the right one. Nothing was changed. " +
  `If it is lost, start once with SLUICE_SECRET_LOST=yes: what it encrypted stays unreadable. ${HOW}`;

/** Encrypts the keys that outlive the secret which they derive from; the context is their purpose. */
export function createKeyWrapping(secrets: ProductSecrets) {
  return createEncryption(secrets, "kept keys");
}

/** @returns null if none is kept: it derives from the present secret */
export async function readKeptKey(
  client: Queryable,
  secrets: ProductSecrets,
  purpose: string,
): Promise<string | null> {
  if (!(await hasTable(client, "kept_keys"))) return null;
  const { rows } = await client.query<{ sealed: Buffer }>(
    "select sealed_key as sealed from kept_keys where purpose = $1",
    [purpose],
  );
  const sealed = rows[0]?.sealed;
  return sealed ? createKeyWrapping(secrets).decrypt(sealed, purpose) : null;
}

/** Of the password that the application's role connects with. */
export const rolePurpose = (role: string) => `database role ${role}`;

async function hasTable(client: Queryable, name: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>("select to_regclass($1) is not null as is", [
    `public.${name}`,
  ]);
  return rows[0]?.is === true;
}
