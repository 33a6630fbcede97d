import { createHash } from "node:crypto";

/**
 * The hashes of the audit chain (docs/audit.md, "The algorithm"), as lower-case hexadecimal SHA-256. PostgreSQL computes
 * them when it seals; this second implementation verifies them.
 */

/** An audit log entry as it is hashed, with its fields in this order. */
export interface CanonicalEntry {
  organizationId: string;
  id: string;
  /** In UTC, with six decimals: `2026-11-20T13:40:12.345000Z`. */
  createdAt: string;
  apiKeyId: string;
  apiKeyName: string;
  method: string;
  path: string;
  action: string | null;
  reason: string | null;
  requestId: string;
  outcome: string;
  errorCode: string | null;
  errorDetail: string | null;
}

/** The first seal of an organization has this in place of a previous hash. */
export function genesisHash(organizationId: string): string {
  return digest("sluice-audit-genesis-v1", organizationId);
}

export function entryHash(entry: CanonicalEntry): string {
  const texts = [
    entry.organizationId,
    entry.id,
    entry.createdAt,
    entry.apiKeyId,
    entry.apiKeyName,
    entry.method,
    entry.path,
    entry.action,
    entry.reason,
    entry.requestId,
    entry.outcome,
    entry.errorCode,
  ];
  // Entries without a detail hash as they did before there was one.
  return entry.errorDetail === null
    ? digest("sluice-audit-entry-v1", ...texts)
    : digest("sluice-audit-entry-v2", ...texts, entry.errorDetail);
}

export function sealHash(
  previousHash: string,
  seal: { sequence: number; sealedAt: string; entryHash: string },
): string {
  return digest("sluice-audit-seal-v1", previousHash, String(seal.sequence), seal.sealedAt, seal.entryHash);
}

/** Texts in order as netstrings (`5:hello,`, null `-,`): different lists never give the same bytes. */
function digest(...texts: readonly (string | null)[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text === null ? "-," : `${Buffer.byteLength(text)}:${text},`);
  return hash.digest("hex");
}
