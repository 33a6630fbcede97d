import { auditActionSchema } from "@/lib/contract/audit-log";
import { type CanonicalEntry, entryHash, genesisHash, sealHash } from "@/lib/core/audit/audit-digest";
import { instant } from "@/lib/core/audit/read-seals";

/** An entry with its seal and the previous seal. */
export interface SealedEntryRow extends CanonicalEntry {
  sequence: number | null;
  sealedAt: string | null;
  entryHash: string | null;
  hash: string | null;
  previousHash: string | null;
}

/**
 * Reads the rows whose ids are in a common table expression `page (id)`, of organization $1. `offset 0` keeps the lookup
 * per row, where a join might read the whole log.
 */
export const SEALED_ENTRIES = `
  select entry.*, seal.*, encode(previous.hash, 'hex') as "previousHash"
    from page
    cross join lateral (
      select e.organization_id as "organizationId", e.id, ${instant("e.created_at")} as "createdAt",
             e.api_key_id as "apiKeyId", e.api_key_name as "apiKeyName", e.method, e.path, e.action, e.reason,
             e.request_id as "requestId", e.outcome, e.error_code as "errorCode",
             e.error_detail as "errorDetail"
        from audit_entries e where e.organization_id = $1 and e.id = page.id offset 0) entry
    left join lateral (
      select s.sequence, ${instant("s.sealed_at")} as "sealedAt", encode(s.entry_hash, 'hex') as "entryHash",
             encode(s.hash, 'hex') as hash
        from audit_seals s where s.organization_id = $1 and s.entry_id = page.id offset 0) seal on true
    left join lateral (
      select p.hash from audit_seals p
       where p.organization_id = $1 and p.sequence = seal.sequence - 1 offset 0) previous on true`;

export function toRow(row: SealedEntryRow) {
  const action = auditActionSchema.safeParse(row.action);
  return {
    id: row.id,
    /** ISO 8601. */
    at: new Date(row.createdAt).toISOString(),
    callerId: row.apiKeyId,
    callerName: row.apiKeyName,
    method: row.method,
    /** As requested, from the root of the API. */
    path: row.path,
    action: action.success ? action.data : null,
    reason: row.reason,
    requestId: row.requestId,
    outcome: row.outcome === "SUCCESS" ? ("SUCCESS" as const) : ("FAILURE" as const),
    errorCode: row.errorCode,
    /** The wrong fields and values, or the sentence of the refusal. */
    errorDetail: row.errorDetail,
  };
}

/** A request of the audit log as its page shows it. */
export type AuditRowView = ReturnType<typeof toRow>;

/** The seal of an entry, recomputed from the row's current content; null while it waits for one. */
export function toSeal(row: SealedEntryRow) {
  const { sequence, sealedAt, entryHash: sealed, hash } = row;
  if (sequence === null || sealedAt === null || sealed === null || hash === null) return null;
  const previous = sequence === 1 ? genesisHash(row.organizationId) : row.previousHash;
  const holds =
    previous !== null &&
    entryHash(row) === sealed &&
    sealHash(previous, { sequence, sealedAt, entryHash: sealed }) === hash;
  return {
    sequence /** ISO 8601. */,
    sealedAt: new Date(sealedAt).toISOString(),
    entryHash: sealed,
    hash /** Recomputed now from the entry and the previous seal: whether both hashes match. */,
    holds,
  };
}

/** What seals a request into the chain (docs/audit.md). Hashes are hexadecimal. */
export type AuditSealView = NonNullable<ReturnType<typeof toSeal>>;
