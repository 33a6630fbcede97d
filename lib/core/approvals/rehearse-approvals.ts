import type { CheckView } from "@/lib/contract/approvals/approval";
import type { OneOutcome } from "@/lib/contract/confirmation/decide-together";
import { type ApprovalFacts, readApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { decideLocked, Undecided } from "@/lib/core/approvals/decide-proposal";
import { approvalDigest, describeChanges } from "@/lib/core/approvals/digest";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { hasCode } from "@/lib/platform/error-code";
import type { Services } from "@/lib/platform/services";

/** A proposal that a member means to approve, and the digest of what they saw of it by itself. */
export interface MeantApproval {
  proposalId: string;
  digest: string;
}

/** What approving it would meet once those before it are approved. */
export type RehearsedApproval =
  /**
   * `changes`: what the approvals before it change of what was seen, one sentence each. `digest` is what a member confirms.
   * `waitsFor`: whose signatures are missing after this one; null: it is approved with it.
   */
  | { kind: "FITS"; digest: string; changes: string[]; waitsFor: string | null }
  /** Since it was seen, whatever is approved before it. */
  | { kind: "CHANGED"; changes: string[] }
  /** The checks that would block it. `isByItself`: also without those before it. */
  | { kind: "BLOCKED"; checks: CheckView[]; isByItself: boolean }
  /** A run would move other amounts after those before it. */
  | { kind: "RUN_DIFFERS"; changes: string[] }
  | { kind: "LEFT"; result: Exclude<OneOutcome["result"], { kind: "DECIDED" | "SIGNED" }> };

/** Rolls back what was rehearsed. */
class Rehearsal extends Error {
  constructor(readonly outcomes: RehearsedApproval[]) {
    super("Only rehearsed");
  }
}

interface Rehearsing {
  client: Queryable;
  context: Context<MemberActor>;
  meant: MeantApproval;
  /** Before any of them is approved; null: there is none. */
  alone: ApprovalFacts | null;
}

/**
 * Approves these in their order, as `decideTogether` will, in one transaction that is rolled back: so what a member
 * confirms is what each of them meets after those before it, and what would not fit is known before they confirm. What
 * does not fit is left out for those that follow. Holds their ledgers for its duration.
 * @param accountIds every account that they name
 * @returns one for each, in order
 */
export async function rehearseApprovals(
  { pool }: Pick<Services, "pool">,
  context: Context<MemberActor>,
  approvals: readonly MeantApproval[],
  accountIds: readonly string[],
): Promise<RehearsedApproval[]> {
  if (approvals.length === 0) return [];
  const { organizationId, actor, now } = context;
  const alone: (ApprovalFacts | null)[] = [];
  for (const { proposalId } of approvals) {
    alone.push(await readApprovalFacts(pool, organizationId, proposalId, now));
  }
  try {
    return await inTransaction(pool, async (client): Promise<never> => {
      await client.query({
        name: "lock_decisions",
        text: "select lock_decisions($1, $2, $3, $4)",
        values: [organizationId, actor.id, approvals.map(({ proposalId }) => proposalId), accountIds],
      });
      const outcomes: RehearsedApproval[] = [];
      for (const [index, meant] of approvals.entries()) {
        outcomes.push(await rehearseOne({ client, context, meant, alone: alone[index] ?? null }));
      }
      throw new Rehearsal(outcomes);
    });
  } catch (error) {
    if (error instanceof Rehearsal) return error.outcomes;
    if (hasCode(error, LOCK_NOT_AVAILABLE)) return approvals.map(() => ({ kind: "LEFT", result: BUSY }));
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = "55P03";
const BUSY = { kind: "REFUSED", message: "Its accounts are busy right now. Load the page again." } as const;

async function rehearseOne({ client, context, meant, alone }: Rehearsing): Promise<RehearsedApproval> {
  await client.query("savepoint rehearsed");
  try {
    const outcome = await approveNext({ client, context, meant, alone });
    if (outcome.kind !== "FITS") await client.query("rollback to savepoint rehearsed");
    return outcome;
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    await client.query("rollback to savepoint rehearsed");
    return { kind: "LEFT", result: error.result };
  }
}

async function approveNext({ client, context, meant, alone }: Rehearsing): Promise<RehearsedApproval> {
  const { proposalId } = meant;
  const facts = await readApprovalFacts(client, context.organizationId, proposalId, context.now);
  const checks = facts ? runChecks(facts) : [];
  const digest = facts ? approvalDigest(facts, checks) : "";
  // Whatever ended it is named by the decision itself, which reads it under the same locks.
  if (facts?.state === "WAITING" && alone) {
    const unfit = unfitBecause(meant, alone, facts, checks);
    if (unfit) return unfit;
  }
  const accepted = await decideLocked(
    client,
    context,
    { proposalId, decision: "APPROVE", digest },
    { note: null, reason: null, method: "RECENT_SIGN_IN", passkeyName: null },
  );
  if (accepted === "FAILED") return { kind: "BLOCKED", checks: [], isByItself: false };
  const changes = facts && alone ? changesBetween(alone, facts, checks) : [];
  const waitsFor = typeof accepted === "object" && accepted !== null ? accepted.waitsFor : null;
  return { kind: "FITS", digest, changes, waitsFor };
}

/** Null: nothing prevents it. */
function unfitBecause(
  { digest }: MeantApproval,
  alone: ApprovalFacts,
  facts: ApprovalFacts,
  checks: readonly CheckView[],
): RehearsedApproval | null {
  const checksAlone = runChecks(alone);
  const blockedAlone = checksAlone.filter(isBlocking);
  if (blockedAlone.length > 0) return { kind: "BLOCKED", checks: blockedAlone, isByItself: true };
  if (approvalDigest(alone, checksAlone) !== digest) {
    return { kind: "CHANGED", changes: describeChanges(digest, alone, checksAlone) };
  }
  const blocked = checks.filter(isBlocking);
  if (blocked.length > 0) return { kind: "BLOCKED", checks: blocked, isByItself: false };
  const changes = facts.kind === "RULE_RUN" ? changesBetween(alone, facts, checks) : [];
  return changes.length > 0 ? { kind: "RUN_DIFFERS", changes } : null;
}

function isBlocking({ outcome }: CheckView): boolean {
  return outcome === "BLOCKS";
}

function changesBetween(alone: ApprovalFacts, facts: ApprovalFacts, checks: readonly CheckView[]): string[] {
  const before = approvalDigest(alone, runChecks(alone));
  return before === approvalDigest(facts, checks) ? [] : describeChanges(before, facts, checks);
}
