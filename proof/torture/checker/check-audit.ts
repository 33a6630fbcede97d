import { createHash } from "node:crypto";
import { groupBy } from "@/proof/torture/checker/group-by";
import type { AuditRow, Database, SealRow } from "@/proof/torture/checker/read-database";
import type { Violation } from "@/proof/torture/checker/violation";

const WHOLE = "the audit chain is whole";

/** Recomputes every organization's chain by the words of docs/audit.md. */
export function checkAudit({ auditEntries, seals }: Database): Violation[] {
  const entries = new Map(auditEntries.map((entry) => [`${entry.organizationId} ${entry.id}`, entry]));
  const violations: Violation[] = [];
  for (const [organizationId, chain] of groupBy(seals, (seal) => seal.organizationId)) {
    let head = digest("sluice-audit-genesis-v1", organizationId);
    for (const [index, seal] of chain.entries()) {
      const key = `${organizationId} ${seal.entryId}`;
      const problem = findProblem(seal, index + 1, head, entries.get(key));
      if (problem) violations.push({ promise: WHOLE, what: `organization ${organizationId}: ${problem}` });
      entries.delete(key);
      head = seal.hash;
    }
  }
  for (const key of entries.keys()) violations.push({ promise: WHOLE, what: `entry ${key} is not sealed` });
  return violations;
}

function findProblem(seal: SealRow, place: number, head: string, entry: AuditRow | undefined): string | null {
  if (seal.sequence !== place) return `seal ${seal.sequence} stands at place ${place}`;
  if (!entry) return `the entry of seal ${place} is missing, or sealed twice`;
  if (hashOf(entry) !== seal.entryHash) return `the entry of seal ${place} was altered`;
  const wanted = digest("sluice-audit-seal-v1", head, String(place), seal.sealedAt, seal.entryHash);
  return wanted === seal.hash ? null : `seal ${place} does not follow`;
}

function hashOf(entry: AuditRow): string {
  const { organizationId, id, createdAt, apiKeyId, apiKeyName, method, path, action, reason } = entry;
  const { requestId, outcome, errorCode } = entry;
  const texts = [organizationId, id, createdAt, apiKeyId, apiKeyName, method, path, action, reason];
  return digest("sluice-audit-entry-v1", ...texts, requestId, outcome, errorCode);
}

/** Netstrings, one after the other: `5:hello,`; null is `-,`. */
function digest(...texts: (string | null)[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text === null ? "-," : `${Buffer.byteLength(text)}:${text},`);
  return hash.digest("hex");
}
