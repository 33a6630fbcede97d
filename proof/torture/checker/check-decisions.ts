import { createHash } from "node:crypto";
import {
  eventsOf,
  groupBy,
  type HistoryEvent,
  type OpenedOrganization,
  type Violation,
} from "@/proof/torture/checker/history";
import type { AuditRow, Database, SealRow } from "@/proof/torture/checker/read-database";

const ONE_DECISION = "one decision per proposal";
const APPROVED = "nothing moves without its required approval";

/** Of many who decide at once, one succeeds; and what needed a decision moved only after it. */
export function checkDecisions(
  history: readonly HistoryEvent[],
  database: Database,
  opened: readonly OpenedOrganization[],
): Violation[] {
  return [...checkOneDecision(history, database), ...checkApproved(database, opened)];
}

function checkOneDecision(history: readonly HistoryEvent[], { proposals }: Database): Violation[] {
  const results = new Map(eventsOf(history, "verdict").map(({ call, result }) => [call, result]));
  const attempts = groupBy(eventsOf(history, "decided"), ({ proposalId }) => proposalId);
  const violations: Violation[] = [];
  const rows = new Map(proposals.map((row) => [row.id, row]));
  for (const [proposalId, tried] of attempts) {
    const counted = tried.filter(({ call }) => results.get(call) === "DECIDED");
    if (counted.length > 1) {
      violations.push({ promise: ONE_DECISION, what: `${proposalId} was decided ${counted.length} times` });
    }
    const state = rows.get(proposalId);
    for (const { memberId, decision } of counted) {
      const wanted = decision === "APPROVE" ? "APPROVED" : "DENIED";
      if (state?.state !== wanted || state.decidedBy !== memberId) {
        violations.push({
          promise: ONE_DECISION,
          what: `${proposalId} was ${wanted} by ${memberId} and is ${state?.state} by ${state?.decidedBy}`,
        });
      }
    }
  }
  for (const { id, state, decidedBy } of proposals) {
    if (state !== "APPROVED" && state !== "DENIED") continue;
    const decision = state === "APPROVED" ? "APPROVE" : "DENY";
    const isAsked = attempts.get(id)?.some((one) => one.memberId === decidedBy && one.decision === decision);
    if (!isAsked)
      violations.push({ promise: ONE_DECISION, what: `${id} is ${state}, and ${decidedBy} never said so` });
  }
  return violations;
}

/**
 * Follows everything that moved back to what allowed it: a key that needs no approval, a mandate, a decision, a rule, the bank.
 */
function checkApproved(database: Database, opened: readonly OpenedOrganization[]): Violation[] {
  const { transfers, executions, proposals, entries } = database;
  const asks = new Map(opened.flatMap(({ keys }) => keys.map((key) => [key.id, key.asks])));
  const states = new Map(proposals.map(({ id, state }) => [id, state]));
  const runs = new Map(executions.map((run) => [run.id, run]));
  const moved = new Set(entries.map(({ transferId }) => transferId));
  // What was put before a person, for whatever reason, moves only with that person's approval.
  const mayMove = (id: string, keyId: string | null) => {
    const state = states.get(id);
    return state === undefined ? keyId === null || asks.get(keyId) === false : state === "APPROVED";
  };
  return transfers
    .filter(({ id, acceptedAt, mode }) => mode === "LIVE" && (moved.has(id) || acceptedAt !== null))
    .filter(({ id, byKind, byId, executionId, mandateId }) => {
      if (byKind === "BANK") return false;
      // Whether the mandate allows it, checkMandates looks at.
      if (mandateId !== null) return states.has(id);
      if (byKind === "API_KEY") return byId === null || !mayMove(id, byId);
      const run = runs.get(executionId ?? "");
      return !run || !mayMove(run.id, run.startedBy === "API_KEY" ? run.startedById : null);
    })
    .map(({ id, status, byKind }) => ({
      promise: APPROVED,
      what: `transfer ${id} of a ${byKind} is ${status}`,
    }));
}

const WHOLE = "the audit chain is intact";

/** Recomputes every organization's chain as docs/audit.md describes it. */
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
  if (seal.sequence !== place) return `seal ${seal.sequence} is at position ${place}`;
  if (!entry) return `the entry of seal ${place} is missing, or sealed twice`;
  if (hashOf(entry) !== seal.entryHash) return `the entry of seal ${place} was altered`;
  const wanted = digest("sluice-audit-seal-v1", head, String(place), seal.sealedAt, seal.entryHash);
  return wanted === seal.hash ? null : `seal ${place} does not follow`;
}

function hashOf(entry: AuditRow): string {
  const { organizationId, id, createdAt, apiKeyId, apiKeyName, method, path, action, reason } = entry;
  const { requestId, outcome, errorCode, errorDetail } = entry;
  const texts = [organizationId, id, createdAt, apiKeyId, apiKeyName, method, path, action, reason];
  texts.push(requestId, outcome, errorCode);
  return errorDetail === null
    ? digest("sluice-audit-entry-v1", ...texts)
    : digest("sluice-audit-entry-v2", ...texts, errorDetail);
}

/** Netstrings in a row: `5:hello,`; null is `-,`. */
function digest(...texts: (string | null)[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text === null ? "-," : `${Buffer.byteLength(text)}:${text},`);
  return hash.digest("hex");
}
