import { bankingDayAt } from "@/lib/contract/banking-days";
import type { MemberRole } from "@/lib/contract/members";
import { plainText } from "@/lib/contract/plain-text";
import { DENIAL_NOTE_LIMIT, type DecideInput, type DecideResult } from "@/lib/contract/views/decision";
import {
  type ApprovalFacts,
  type RunApprovalFacts,
  readApprovalFacts,
} from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { approvalDigest, describeChanges } from "@/lib/core/approvals/digest";
import type { ProposalState } from "@/lib/core/approvals/proposal-facts";
import { writeDecision } from "@/lib/core/approvals/write-decision";
import { areGatesOpen } from "@/lib/core/keys/gates";
import { plannedTransfers } from "@/lib/core/rules/planned-transfers";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { BOOK_TRANSFERS, DELIVER_EVENTS, SEND_NOTICES } from "@/lib/core/shared/work-names";
import {
  spendConfirmation,
  type VerifiedConfirmation,
  verifyConfirmation,
} from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";

import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";

/** Other members read the note, so deceptive characters are refused as in callers' texts. */
const noteSchema = plainText(DENIAL_NOTE_LIMIT);

const GATES_ARE_CLOSED =
  "All gates are closed. Open them to approve; you can still deny. Nothing was decided.";

const MAY_NOT_DECIDE: DecideResult = {
  kind: "REFUSED",
  message: "Only an owner or co-owner may decide. Nothing was decided.",
};

/** Rolls back without a decision, so that the confirmation is not consumed either. */
class Undecided extends Error {
  constructor(readonly result: DecideResult) {
    super("Nothing was decided");
  }
}

/**
 * One decision of one proposal (docs/behavior/approvals.md): the first wins, what was shown is what is approved, and the
 * transfer, or every transfer of the run, is accepted in the same transaction. Racing decisions queue on the proposal's
 * row; all but the first find it decided.
 */
export async function decideProposal(
  services: Services,
  context: Context<MemberActor>,
  input: DecideInput,
): Promise<DecideResult> {
  if (!mayDecide(context.actor)) return MAY_NOT_DECIDE;
  const note =
    input.decision === "DENY" && input.note?.trim() ? noteSchema.safeParse(input.note.trim()) : null;
  if (note && !note.success) {
    return { kind: "NOT_CONFIRMED", message: `The note ${note.error.issues[0]?.message ?? "is not valid"}.` };
  }
  try {
    // Before the transaction: a password hash is slow on purpose, and failed attempts must be counted despite a rollback.
    const confirmation = await verifyConfirmation(services, context.actor, input, input.confirmation);
    await inTransaction(services.pool, (client) =>
      decideLocked(client, context, input, note?.data ?? null, confirmation),
    );
    wakeFor(services, input);
    incrementCounter("transfers", input.decision === "APPROVE" ? "APPROVED" : "DENIED");
    return { kind: "DECIDED" };
  } catch (error) {
    if (error instanceof Undecided) return error.result;
    if (error instanceof NotConfirmed) return { kind: "NOT_CONFIRMED", message: error.message };
    throw error;
  }
}

function wakeFor(services: Services, input: DecideInput): void {
  services.wake(SEND_NOTICES);
  services.wake(DELIVER_EVENTS);
  if (input.decision === "DENY") return;
  services.wake(BOOK_TRANSFERS);
}

async function decideLocked(
  client: Queryable,
  context: Context<MemberActor>,
  input: DecideInput,
  note: string | null,
  confirmation: VerifiedConfirmation,
): Promise<void> {
  const { method, passkeyName } = await spendConfirmation(client, confirmation);
  // Denying works while all gates are closed; approving does not.
  if (input.decision === "APPROVE" && !(await areGatesOpen(client, context.organizationId))) {
    throw new Undecided({ kind: "REFUSED", message: GATES_ARE_CLOSED });
  }
  const locked = await lockForDecision(client, context, input.proposalId);
  const closed = closedResult(locked, context.now);
  if (closed) throw new Undecided(closed);
  const facts = input.decision === "APPROVE" ? await requireSeen(client, context, input) : null;
  await writeDecision(client, context, input.proposalId, {
    state: facts ? "APPROVED" : "DENIED",
    method,
    passkeyName,
    note,
    digest: facts ? input.digest : null,
  });
  if (facts) await accept(client, context, facts);
  else await deny(client, context, input.proposalId);
}

/** Null: it can be decided. */
function closedResult(locked: LockedProposal, now: Date): DecideResult | null {
  if (locked.kind === "MAY_NOT_DECIDE") return MAY_NOT_DECIDE;
  if (locked.kind === "MISSING") {
    return { kind: "REFUSED", message: "There is no such proposal in this organization." };
  }
  if (locked.state === "EXPIRED" || (locked.state === "WAITING" && locked.expiresAt <= now)) {
    return { kind: "EXPIRED" };
  }
  if (locked.state === "WAITING" && locked.keyHasEnded) {
    return {
      kind: "REFUSED",
      message: "The key that requested this was replaced and no longer works. Nothing was decided.",
    };
  }
  if (locked.state === "WAITING") return null;
  if (locked.state === "RULE_CHANGED") {
    return {
      kind: "REFUSED",
      message: "This run ended when its version of the rule stopped running. Nothing was decided.",
    };
  }
  return {
    kind: "ALREADY_DECIDED",
    byName: locked.decidedByName ?? "The person who ended its access",
    decision: locked.state === "APPROVED" ? "APPROVED" : "DENIED",
    at: (locked.decidedAt ?? now).toISOString(),
  };
}

/**
 * Recomputes what was shown, with everything that it depends on locked until the acceptance.
 * @returns the facts under the locks
 * @throws Undecided if they differ from what was shown, or if a run could not be completed.
 */
async function requireSeen(
  client: Queryable,
  context: Context<MemberActor>,
  input: DecideInput,
): Promise<ApprovalFacts> {
  const before = await requireFacts(client, context, input.proposalId);
  await lockMoney(client, context, before);
  const facts = await requireFacts(client, context, input.proposalId);
  const checks = runChecks(facts);
  if (approvalDigest(facts, checks) !== input.digest) {
    throw new Undecided({ kind: "CHANGED", changes: describeChanges(input.digest, facts, checks) });
  }
  // A transfer that fails later has moved nothing; a run would stop halfway.
  if (facts.kind === "RULE_RUN" && checks.some((check) => check.outcome === "BLOCKS")) {
    throw new Undecided({
      kind: "WOULD_FAIL",
      message: "This run cannot be completed right now; the checks say why. Nothing was decided.",
    });
  }
  return facts;
}

async function lockMoney(
  client: Queryable,
  context: Context<MemberActor>,
  facts: ApprovalFacts,
): Promise<void> {
  if (facts.kind === "RULE_RUN") return lockRun(client, context, facts);
  await client.query("select lock_ledgers($1, $2)", [
    context.organizationId,
    [facts.source.id, facts.destination.id],
  ]);
}

async function requireFacts(
  client: Queryable,
  context: Context<MemberActor>,
  proposalId: string,
): Promise<ApprovalFacts> {
  const facts = await readApprovalFacts(client, context.organizationId, proposalId, context.now);
  if (!facts) throw new Error("A locked proposal has no facts");
  return facts;
}

async function accept(client: Queryable, context: Context<MemberActor>, facts: ApprovalFacts): Promise<void> {
  if (facts.kind === "RULE_RUN") return acceptRun(client, context, facts);
  await client.query("select accept_approved_transfer($1, $2, $3, $4)", [
    context.organizationId,
    facts.id,
    bankingDayAt(context.now),
    context.now,
  ]);
}

async function deny(client: Queryable, context: Context<MemberActor>, proposalId: string): Promise<void> {
  await client.query("select deny_transfers($1, $2, $3)", [
    context.organizationId,
    [proposalId],
    context.now,
  ]);
}

/** Locks the run's rule, the run, its limits and all its accounts until the transaction ends. */
async function lockRun(client: Queryable, context: Context, facts: RunApprovalFacts): Promise<void> {
  await client.query({
    name: "lock_waiting_run",
    text: "select lock_waiting_run($1, $2, $3)",
    values: [context.organizationId, facts.id, facts.definition ? accountsOf(facts.definition) : []],
  });
}

/**
 * Stores the approved plan and accepts its transfers, all or none, in the deciding transaction. The plan is not computed
 * again after this.
 * @param facts read under the locks of `lockRun`, with no blocking check
 */
async function acceptRun(client: Queryable, context: Context, facts: RunApprovalFacts): Promise<void> {
  const { planned, definition } = facts;
  if (!definition || planned?.evaluation.kind !== "PLANNED") {
    throw new Error("A run was approved without a plan");
  }
  const { plan } = planned.evaluation;
  const transfers = plannedTransfers(plan, definition, planned.facts, context.now);
  await client.query({
    name: "accept_approved_run",
    text: "select accept_approved_run($1, $2, $3, $4, $5, $6)",
    values: [
      context.organizationId,
      facts.id,
      JSON.stringify(planned.facts),
      JSON.stringify(plan),
      JSON.stringify(transfers),
      context.now,
    ],
  });
}

type LockedProposal =
  | { kind: "MISSING" }
  | { kind: "MAY_NOT_DECIDE" }
  | {
      kind: "LOCKED";
      state: ProposalState;
      /** It was replaced and its grace period is over, but its proposals are not closed yet. */
      keyHasEnded: boolean;
      expiresAt: Date;
      decidedAt: Date | null;
      decidedByName: string | null;
    };

/**
 * Locks what a decision depends on, in the order of lib/db/LOCKS.md: key, membership, proposal. A revocation of the key,
 * a change of role or a rival decision either committed before and is seen here, or waits for this decision.
 */
async function lockForDecision(
  client: Queryable,
  context: Context<MemberActor>,
  proposalId: string,
): Promise<LockedProposal> {
  const { rows: keys } = await client.query<{ has_ended: boolean }>(
    `select coalesce(ends_at <= $3, false) as has_ended from api_keys where organization_id = $1 and id = (
       select api_key_id from proposals where organization_id = $1 and id = $2) for key share`,
    [context.organizationId, proposalId, context.now],
  );
  const { rows: memberships } = await client.query<{ role: MemberRole }>(
    "select role from memberships where organization_id = $1 and user_id = $2 for share",
    [context.organizationId, context.actor.id],
  );
  const role = memberships[0]?.role;
  if (role !== "OWNER" && role !== "CO_OWNER") return { kind: "MAY_NOT_DECIDE" };
  const { rows } = await client.query<
    Omit<Extract<LockedProposal, { kind: "LOCKED" }>, "kind" | "keyHasEnded">
  >(
    `select p.state, p.expires_at as "expiresAt", p.decided_at as "decidedAt",
        (select name from users where id = p.decided_by) as "decidedByName"
       from proposals p where p.organization_id = $1 and p.id = $2 for update of p`,
    [context.organizationId, proposalId],
  );
  const row = rows[0];
  if (!row) return { kind: "MISSING" };
  return { kind: "LOCKED", keyHasEnded: keys[0]?.has_ended === true, ...row };
}
