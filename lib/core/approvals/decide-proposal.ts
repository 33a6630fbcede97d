import type { DecideInput, DecideResult, DenialGiven } from "@/lib/contract/confirmation/decision";
import { DENIAL_NOTE_LIMIT, DENIAL_TEXT_LIMIT, MAXIMUM_NOT_NOW_DAYS } from "@/lib/contract/limits";
import type { MemberRole } from "@/lib/contract/members";
import { plainText } from "@/lib/contract/plain-text";
import {
  type ApprovalFacts,
  type RunApprovalFacts,
  readApprovalFacts,
} from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { approvalDigest, describeChanges } from "@/lib/core/approvals/digest";
import type { LockedState } from "@/lib/core/approvals/proposal-facts";
import { signProposal } from "@/lib/core/approvals/sign-proposal";
import { type Signing, signingOf } from "@/lib/core/approvals/signing";
import { type WrittenDecision, type WrittenReason, writeDecision } from "@/lib/core/approvals/write-decision";
import { plannedTransfers } from "@/lib/core/rules/planned-transfers";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { BOOK_TRANSFERS, DELIVER_EVENTS, RUN_RULES, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { spendConfirmation, verifyConfirmation } from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { accountsOf } from "@/lib/engine/accounts-of";
import { startOfDay } from "@/lib/engine/schedule/wall-clock";
import { incrementCounter } from "@/lib/platform/observe/counters";
import type { Services } from "@/lib/platform/services";
import { missingWords, WHY_NOT_WORDS } from "@/lib/words/signing-words";

/** Other members read the note, so deceptive characters are refused as in callers' texts. */
const noteSchema = plainText(DENIAL_NOTE_LIMIT);
const textSchema = plainText(DENIAL_TEXT_LIMIT);
const DAY_MS = 86_400_000;

const GATES_ARE_CLOSED =
  "All gates are closed. Open them to approve; you can still deny. Nothing was decided.";

export const MAY_NOT_DECIDE = {
  kind: "REFUSED",
  message: "Only an owner or co-owner may decide. Nothing was decided.",
} satisfies DecideResult;

/** Rolls back without a decision, so that the confirmation is not consumed either. */
export class Undecided extends Error {
  constructor(readonly result: Exclude<DecideResult, { kind: "DECIDED" | "SIGNED" | "NOT_CONFIRMED" }>) {
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
  const stated = await parseStated(services, context, input.decision === "DENY" ? input : null);
  if ("problem" in stated) return { kind: "NOT_CONFIRMED", message: stated.problem };
  try {
    // Before the transaction: a password hash is slow on purpose, and failed attempts must be counted despite a rollback.
    const confirmation = await verifyConfirmation(services, context.actor, input, input.confirmation);
    return await decideOne(services, context, input, stated, (client) =>
      spendConfirmation(client, confirmation),
    );
  } catch (error) {
    if (error instanceof NotConfirmed) return { kind: "NOT_CONFIRMED", message: error.message };
    throw error;
  }
}

/** What a member says with a denial: to members, and to the program. */
export type Stated = Pick<WrittenDecision, "note" | "reason">;

/**
 * @param given null for an approval, which says nothing
 * @returns what is written, or what is wrong with it
 */
export async function parseStated(
  services: Pick<Services, "pool">,
  context: Context,
  given: Pick<DecideInput, "note" | "reason"> | null,
): Promise<Stated | { problem: string }> {
  const note = given?.note?.trim() ? noteSchema.safeParse(given.note.trim()) : null;
  if (note && !note.success) {
    return { problem: `The note ${note.error.issues[0]?.message ?? "is not valid"}.` };
  }
  const reason = given?.reason ? await parseReason(services, context, given.reason) : null;
  if (reason && "problem" in reason) return reason;
  return { note: note?.data ?? null, reason };
}

/** How a decision was confirmed, once that is consumed. */
export type Confirmed = Pick<WrittenDecision, "method" | "passkeyName">;

/**
 * Decides one proposal in a transaction of its own.
 * @param confirm consumes the confirmation, before other locks are taken
 * @throws NotConfirmed when it cannot be consumed; nothing was decided.
 */
export async function decideOne(
  services: Services,
  context: Context<MemberActor>,
  subject: SubjectSeen,
  stated: Stated,
  confirm: (client: Queryable) => Promise<Confirmed>,
): Promise<Exclude<DecideResult, { kind: "NOT_CONFIRMED" }>> {
  try {
    const outcome = await inTransaction(services.pool, async (client) =>
      decideLocked(client, context, subject, { ...stated, ...(await confirm(client)) }),
    );
    if (typeof outcome === "object" && outcome !== null) {
      services.wake(SEND_NOTICES);
      return outcome;
    }
    const accepted = outcome;
    wakeFor(services, accepted);
    incrementCounter("transfers", subject.decision === "APPROVE" ? "APPROVED" : "DENIED");
    if (accepted === "COMPLETE" || accepted === "FAILED") incrementCounter("transfers", accepted);
    return { kind: "DECIDED" };
  } catch (error) {
    if (error instanceof Undecided) return error.result;
    throw error;
  }
}

/**
 * Decides as the test person of a sandbox: without a confirmation, and for what is found rather than for what was seen.
 * The decision says so for ever (`TEST_PERSON`). The caller has checked that nothing is real.
 */
export async function decideAsTestPerson(
  services: Services,
  context: Context<MemberActor>,
  input: { proposalId: string; decision: "APPROVE" | "DENY"; reason: DenialGiven | null },
): Promise<DecideResult> {
  const stated = await parseStated(services, context, { note: null, reason: input.reason });
  if ("problem" in stated) return { kind: "NOT_CONFIRMED", message: stated.problem };
  return decideOne(services, context, { ...input, digest: null }, stated, async () => ({
    method: "TEST_PERSON",
    passkeyName: null,
  }));
}

/** What the program reads, or what is wrong with it. */
async function parseReason(
  { pool }: Pick<Services, "pool">,
  { organizationId, now }: Context,
  { kind, text, notBefore }: DenialGiven,
): Promise<WrittenReason | { problem: string }> {
  const words = text?.trim() ? textSchema.safeParse(text.trim()) : null;
  if (words && !words.success) {
    return { problem: `The text for the program ${words.error.issues[0]?.message ?? "is not valid"}.` };
  }
  const reason = { kind, text: words?.data ?? null };
  if (kind !== "NOT_NOW") return { ...reason, askAgainAfter: null };
  const { rows } = await pool.query<{ timeZone: string }>({
    name: "read_time_zone",
    text: `select time_zone as "timeZone" from organizations where id = $1`,
    values: [organizationId],
  });
  const askAgainAfter = notBefore === null ? null : startOfDay(notBefore, rows[0]?.timeZone ?? "UTC");
  const last = now.getTime() + MAXIMUM_NOT_NOW_DAYS * DAY_MS;
  if (askAgainAfter === null || askAgainAfter <= now || askAgainAfter.getTime() > last) {
    return { problem: "Choose a day after today and within a year, from which it may ask again." };
  }
  return { ...reason, askAgainAfter };
}

/** What an approval accepted: a transfer that is booked, or failed, or goes to the bank; or a run. */
type Accepted = "COMPLETE" | "FAILED" | "TO_BANK" | "RUN";

function wakeFor(services: Services, accepted: Accepted | null): void {
  services.wake(SEND_NOTICES);
  services.wake(DELIVER_EVENTS);
  // Those that its money starts.
  if (accepted === "COMPLETE") services.wake(RUN_RULES);
  if (accepted === "RUN") services.wake(BOOK_TRANSFERS);
}

/** A proposal and the digest of what was seen of it; null: decided unseen, by a test person. */
interface SubjectSeen extends Pick<DecideInput, "proposalId" | "decision" | "approvedAmountInCents"> {
  digest: string | null;
}

/**
 * Decides in the open transaction of `client`.
 * @throws Undecided if it cannot be decided, or what was shown has changed; roll back.
 */
export async function decideLocked(
  client: Queryable,
  context: Context<MemberActor>,
  input: SubjectSeen,
  stated: Stated & Confirmed,
): Promise<Accepted | Signed | null> {
  const locked = await lockForDecision(client, context, input);
  const closed = closedResult(locked, context.now);
  if (closed) throw new Undecided(closed);
  if (input.decision === "APPROVE") await lowerIfLess(client, context, input, locked.kind);
  const facts = input.decision === "APPROVE" ? await requireSeen(client, context, input, locked.kind) : null;
  const signing = facts && signingOf(facts);
  if (signing) {
    const signed = await signIfNeeded(client, context, input, stated, signing);
    if (signed) return signed;
  }
  const errorCode = await writeDecision(client, context, input.proposalId, {
    state: facts ? "APPROVED" : "DENIED",
    ...stated,
    digest: facts && input.digest,
    policyVersions: signing?.policy.asks.map(({ version }) => version),
  });
  if (!facts) return null;
  if (facts.kind === "RULE_RUN") {
    await acceptRun(client, context, facts);
    return "RUN";
  }
  if (errorCode !== null) return "FAILED";
  return facts.direction === "INTERNAL" ? "COMPLETE" : "TO_BANK";
}

type Signed = Extract<DecideResult, { kind: "SIGNED" }>;

/**
 * Records the signature of an approval under a policy.
 * @returns null if every requirement is met with it, so that the decision follows
 * @throws Undecided if this member's signature would not count.
 */
async function signIfNeeded(
  client: Queryable,
  context: Context<MemberActor>,
  { proposalId, digest }: SubjectSeen,
  { method, passkeyName }: Confirmed,
  signing: Signing,
): Promise<Signed | null> {
  // A sandbox's test person stands in for everyone who would sign.
  if (method === "TEST_PERSON" || digest === null) return null;
  const why = signing.whyNot(context.actor.id);
  if (why) throw new Undecided({ kind: "REFUSED", message: `${WHY_NOT_WORDS[why]} Nothing was decided.` });
  const decides = signing.progress.wouldComplete.includes(context.actor.id);
  await signProposal(client, context, proposalId, signing, { digest, method, passkeyName, decides });
  return decides ? null : { kind: "SIGNED", waitsFor: await missingAfter(client, context, proposalId) };
}

/** Whose signatures are missing after this one. */
async function missingAfter(
  client: Queryable,
  context: Context<MemberActor>,
  proposalId: string,
): Promise<string> {
  const signing = signingOf(await requireFacts(client, context, proposalId));
  return signing ? missingWords(signing.progress, signing.policy.people) : "";
}

/**
 * Gives a waiting transfer the lower amount that the member approves, before it is compared with what they saw.
 * @throws Undecided if it is not lower, or not a transfer's
 */
async function lowerIfLess(
  client: Queryable,
  { organizationId, now }: Context<MemberActor>,
  { proposalId, approvedAmountInCents = null }: SubjectSeen,
  kind: LockedProposal["kind"],
): Promise<void> {
  if (approvedAmountInCents === null) return;
  if (kind !== "TRANSFER") {
    throw new Undecided({
      kind: "REFUSED",
      message: "Only the amount of a transfer can be lowered. Nothing was decided.",
    });
  }
  const { rows } = await client.query<{ outcome: "LOWERED" | "NOT_LOWER" | "REVERSAL" }>({
    name: "lower_proposal",
    text: "select lower_proposal($1, $2, $3, $4) as outcome",
    values: [organizationId, proposalId, approvedAmountInCents, now],
  });
  const outcome = rows[0]?.outcome;
  if (outcome === "LOWERED") return;
  if (outcome === "REVERSAL") {
    throw new Undecided({
      kind: "REFUSED",
      message: "A transfer is moved back whole or not at all. Nothing was decided.",
    });
  }
  throw new Undecided({ kind: "CHANGED", changes: ["Its amount is not more than what you would approve."] });
}

/** Null: it can be decided. */
export function closedResult(locked: Locked, now: Date): Undecided["result"] | null {
  // Denying works while all gates are closed; approving does not.
  if (!locked.areGatesOpen) return { kind: "REFUSED", message: GATES_ARE_CLOSED };
  if (locked.role !== "OWNER" && locked.role !== "CO_OWNER") return MAY_NOT_DECIDE;
  if (locked.state === null) {
    return { kind: "REFUSED", message: "There is no such proposal in this organization." };
  }
  if (
    locked.state === "EXPIRED" ||
    (locked.state === "WAITING" && locked.expiresAt !== null && locked.expiresAt <= now)
  ) {
    return { kind: "EXPIRED" };
  }
  if (locked.state === "WAITING" && locked.keyHasEnded) {
    return {
      kind: "REFUSED",
      message: "The key that requested this was replaced and no longer works. Nothing was decided.",
    };
  }
  if (locked.state === "WAITING") return null;
  if (locked.state === "IN_BATCH") {
    return {
      kind: "REFUSED",
      message:
        "It is one line of a batch. Decide the batch, where it can be struck out. Nothing was decided.",
    };
  }
  if (locked.state === "RULE_CHANGED") {
    return {
      kind: "REFUSED",
      message: "This run ended when its version of the rule stopped running. Nothing was decided.",
    };
  }
  if (locked.state === "WITHDRAWN") {
    return { kind: "REFUSED", message: "The program that requested this withdrew it. Nothing was decided." };
  }
  return {
    kind: "ALREADY_DECIDED",
    byName: locked.decidedByName ?? "The person who ended its access",
    decision: locked.state === "APPROVED" ? "APPROVED" : "DENIED",
    at: (locked.decidedAt ?? now).toISOString(),
  };
}

/**
 * Recomputes what was shown, with everything that it depends on locked until the acceptance: a transfer's ledgers already are.
 * @returns the facts under the locks
 * @throws Undecided if they differ from what was shown, or if a run could not be completed.
 */
async function requireSeen(
  client: Queryable,
  context: Context<MemberActor>,
  input: SubjectSeen,
  kind: LockedProposal["kind"],
): Promise<ApprovalFacts> {
  if (kind === "RULE_RUN")
    await lockRun(client, context, await requireFacts(client, context, input.proposalId));
  const facts = await requireFacts(client, context, input.proposalId);
  const checks = runChecks(facts);
  if (input.digest !== null && approvalDigest(facts, checks) !== input.digest) {
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

async function requireFacts(
  client: Queryable,
  context: Context<MemberActor>,
  proposalId: string,
): Promise<ApprovalFacts> {
  const facts = await readApprovalFacts(client, context.organizationId, proposalId, context.now);
  if (!facts) throw new Error("A locked proposal has no facts");
  return facts;
}

/** Locks the run's rule, the run, its limits and all its accounts until the transaction ends. */
async function lockRun(client: Queryable, context: Context, facts: ApprovalFacts): Promise<void> {
  if (facts.kind !== "RULE_RUN") throw new Error("A run's proposal has the facts of a transfer");
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

export interface Locked {
  /** Always for a denial. If they are closed, nothing else was read. */
  areGatesOpen: boolean;
  role: MemberRole | null;
  /** Null: the organization has no such proposal. */
  state: LockedState | null;
  expiresAt: Date | null;
  /** The key was replaced and its grace period is over, but its proposals are not closed yet. */
  keyHasEnded: boolean;
  decidedAt: Date | null;
  decidedByName: string | null;
}

interface LockedProposal extends Locked {
  kind: "TRANSFER" | "RULE_RUN" | null;
}

/** Locks what the decision depends on until the commit; to approve a transfer, its ledgers too. */
async function lockForDecision(
  client: Queryable,
  context: Context<MemberActor>,
  { proposalId, decision }: SubjectSeen,
): Promise<LockedProposal> {
  const { rows } = await client.query<LockedProposal>({
    name: "lock_decision",
    text: `select are_gates_open as "areGatesOpen", role, kind, state, expires_at as "expiresAt",
        key_has_ended as "keyHasEnded", decided_at as "decidedAt", decided_by_name as "decidedByName"
      from lock_decision($1, $2, $3, $4, $5)`,
    values: [context.organizationId, proposalId, context.actor.id, decision === "APPROVE", context.now],
  });
  const locked = rows[0];
  if (!locked) throw new Error("lock_decision answered nothing");
  return locked;
}
