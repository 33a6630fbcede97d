import { groupBy } from "@/proof/torture/checker/group-by";
import { eventsOf, type HistoryEvent, type OpenedOrganization } from "@/proof/torture/checker/history";
import type { Database } from "@/proof/torture/checker/read-database";
import type { Violation } from "@/proof/torture/checker/violation";

const ONE_DECISION = "one decision for each proposal";
const APPROVED = "nothing moves without the approval that it needs";

/** Of many who decide at once, one does; and what needed a decision moved only after it. */
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

/** Follows everything that moved back to whoever allowed it: a key that need not ask, a decision, a rule, the bank. */
function checkApproved(database: Database, opened: readonly OpenedOrganization[]): Violation[] {
  const { transfers, executions, proposals, entries } = database;
  const asks = new Map(opened.flatMap(({ keys }) => keys.map((key) => [key.id, key.asks])));
  const states = new Map(proposals.map(({ id, state }) => [id, state]));
  const runs = new Map(executions.map((run) => [run.id, run]));
  const moved = new Set(entries.map(({ transferId }) => transferId));
  // What was put before a person, for whatever reason, moves with that person's word alone.
  const mayMove = (id: string, keyId: string | null) => {
    const state = states.get(id);
    return state === undefined ? keyId === null || asks.get(keyId) === false : state === "APPROVED";
  };
  return transfers
    .filter(({ id, acceptedAt, mode }) => mode === "LIVE" && (moved.has(id) || acceptedAt !== null))
    .filter(({ id, byKind, byId, executionId }) => {
      if (byKind === "BANK") return false;
      if (byKind === "API_KEY") return byId === null || !mayMove(id, byId);
      const run = runs.get(executionId ?? "");
      return !run || !mayMove(run.id, run.startedBy === "API_KEY" ? run.startedById : null);
    })
    .map(({ id, status, byKind }) => ({
      promise: APPROVED,
      what: `transfer ${id} of a ${byKind} is ${status}`,
    }));
}
