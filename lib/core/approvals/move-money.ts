import { formatCents } from "@/lib/contract/format-cents";
import type {
  BeginMoveResult,
  MoveDone,
  MoveDraft,
  MoveInput,
  MoveResult,
  MoveSubject,
  MoveUsed,
} from "@/lib/contract/move";
import type { TransferDirection } from "@/lib/contract/transfer";
import { readApprovalFacts, type TransferApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { approvalDigest, describeChanges } from "@/lib/core/approvals/digest";
import {
  draftedTransfer,
  NOT_THERE,
  readDraftFacts,
  refused,
  requireMover,
  routeOfDraft,
} from "@/lib/core/approvals/draft-facts";
import { proposeAsMember } from "@/lib/core/approvals/propose-move-back";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import { type GivenNow, signProposal } from "@/lib/core/approvals/sign-proposal";
import { signingOf } from "@/lib/core/approvals/signing";
import { writeDecision } from "@/lib/core/approvals/write-decision";
import { areGatesOpen, gatesClosed } from "@/lib/core/keys/gates";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { DELIVER_EVENTS, RUN_RULES, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { type ChallengeScope, memberScope } from "@/lib/core/sign-in/challenge";
import {
  beginConfirmationOf,
  spendConfirmation,
  type VerifiedConfirmation,
  verifyConfirmationOf,
} from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

/** Binds a confirmation to this draft as it was shown; the digest covers all of it. */
function moveScope(actor: MemberActor, { draftId, digest }: MoveSubject): ChallengeScope {
  return memberScope("DECIDE", actor, `MOVE_MONEY ${draftId} ${digest}`);
}

/**
 * How this member must confirm the move, with the challenge; or the result if it is done already.
 * @throws AppError `ACCESS_DENIED` unless the actor is an owner or co-owner.
 */
export async function beginMove(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  context: Context<MemberActor>,
  subject: MoveSubject,
): Promise<BeginMoveResult> {
  requireMover(context);
  const before = await findMoved(services.pool, context, subject);
  if (before) return before;
  const request = await beginConfirmationOf(services, context.actor, moveScope(context.actor, subject));
  return { kind: "BEGUN", request };
}

/** Rolls back without a move, so that the confirmation is not consumed either. */
class NotMoved extends Error {
  constructor(readonly result: MoveResult | "RIVAL") {
    super("Nothing moved");
  }
}

/**
 * Moves money for a member (docs/behavior/transfers.md): their proposal and its approval in one transaction, with the
 * locks, digest and acceptance of any approval. Where the policy asks for other signatures, it becomes a proposal that
 * waits for them. One draft moves once, however often its confirmation is sent.
 * @throws NotConfirmed; AppError `ACCESS_DENIED` unless the actor is an owner or co-owner, and while all gates are closed;
 * `INVALID_PARAMETERS` if the money cannot take this route or is not available.
 */
export async function moveMoney(
  services: Services,
  context: Context<MemberActor>,
  input: MoveInput,
): Promise<MoveResult> {
  requireMover(context);
  const before = await findMoved(services.pool, context, input);
  if (before) return before;
  try {
    // Before the transaction: checking a password takes long on purpose, and a failed attempt must stay counted.
    const scope = moveScope(context.actor, input);
    const confirmation = await verifyConfirmationOf(services, context.actor, scope, input.confirmation);
    await inTransaction(services.pool, (client) =>
      moveLocked(client, services, context, input, confirmation),
    );
  } catch (error) {
    return await afterFailure(services, context, input, error);
  }
  for (const work of [SEND_NOTICES, DELIVER_EVENTS, RUN_RULES]) services.wake(work);
  return done(services, context, input);
}

/** A concurrent confirmation of the same draft may have won: it consumed the proof or claimed the draft. Not an error. */
async function afterFailure(
  services: Services,
  context: Context<MemberActor>,
  draft: MoveDraft,
  error: unknown,
): Promise<MoveResult> {
  if (error instanceof NotMoved && error.result !== "RIVAL") return error.result;
  if (error instanceof NotMoved) return done(services, context, draft);
  const moved = error instanceof NotConfirmed ? await findMoved(services.pool, context, draft) : null;
  if (moved) return moved;
  throw error;
}

async function done(
  services: Services,
  context: Context<MemberActor>,
  draft: MoveDraft,
): Promise<MoveResult> {
  const moved = await findMoved(services.pool, context, draft);
  if (!moved) throw new Error("A committed move is missing");
  return moved;
}

/** Locks in the order of lib/db/LOCKS.md: session and proof, membership, draft and its documents, ledgers. */
async function moveLocked(
  client: Queryable,
  { bankCapabilities }: Pick<Services, "bankCapabilities">,
  context: Context<MemberActor>,
  input: MoveInput,
  confirmation: VerifiedConfirmation,
): Promise<void> {
  const { method, passkeyName } = await spendConfirmation(client, confirmation);
  if (!(await areGatesOpen(client, context.organizationId))) throw gatesClosed();
  await requireDecider(client, context, "move money");
  const transferId = newId(context.now);
  await claimDraft(client, context, input.draftId, transferId);
  await client.query("select lock_draft_documents($1, $2)", [context.organizationId, input.draftId]);
  const direction = await routeOfDraft({ pool: client, bankCapabilities }, context, input);
  await client.query("select lock_ledgers($1, $2)", [
    context.organizationId,
    [input.sourceAccountId, input.destinationAccountId],
  ]);
  if (direction === "MONEY_OUT") await client.query("select lock_outgoing($1)", [[context.organizationId]]);
  await client.query("select lock_payees($1, $2)", [context.organizationId, [input.destinationAccountId]]);
  const seen = await requireSeen(client, context, input, direction);
  await proposeAsMember(client, context, transferId, draftedTransfer(input, direction), input.note);
  await client.query("select claim_draft_documents($1, $2, $3, $4)", [
    context.organizationId,
    input.draftId,
    transferId,
    context.actor.id,
  ]);
  const signing = signingOf(seen);
  const decides = signing === null || signing.progress.wouldComplete.includes(context.actor.id);
  if (signing && signing.whyNot(context.actor.id) === null) {
    await signOwn(client, context, transferId, { digest: input.digest, method, passkeyName, decides });
  }
  // It waits like any proposal, for those whose signatures the policy asks for.
  if (!decides) return;
  const errorCode = await writeDecision(client, context, transferId, {
    state: "APPROVED",
    method,
    passkeyName,
    note: null,
    reason: null,
    digest: input.digest,
    policyVersions: signing?.policy.asks.map(({ version }) => version),
  });
  // Unlike an approved proposal, which may fail later, a member's move fails at once and writes nothing. Outside accounts
  // have no ledger to lock: a concurrent pull may have taken what the checks saw.
  if (errorCode !== null)
    throw new NotMoved({ kind: "CHANGED", changes: [FAILURES[errorCode] ?? `It would fail: ${errorCode}.`] });
}

/** The member's own signature, bound to the proposal that their draft became. */
async function signOwn(
  client: Queryable,
  context: Context<MemberActor>,
  transferId: string,
  given: GivenNow,
): Promise<void> {
  const facts = await readApprovalFacts(client, context.organizationId, transferId, context.now);
  const signing = facts && signingOf(facts);
  if (!signing) throw new Error("A member's move under a policy has no policy");
  await signProposal(client, context, transferId, signing, given);
}

/** Lets one of several confirmations of a draft continue; the others wait here for its commit. */
async function claimDraft(
  client: Queryable,
  context: Context<MemberActor>,
  draftId: string,
  transferId: string,
): Promise<void> {
  const { rowCount } = await client.query({
    name: "insert_member_move",
    text: `
      insert into member_moves (organization_id, draft_id, transfer_id, moved_by, moved_at)
        values ($1, $2, $3, $4, $5)
        on conflict (organization_id, draft_id) do nothing`,
    values: [context.organizationId, draftId, transferId, context.actor.id, context.now],
  });
  if (rowCount !== 1) throw new NotMoved("RIVAL");
}

/**
 * Recomputes what was shown, under the locks.
 * @returns the facts under the locks
 * @throws NotMoved if it differs; AppError if there is not enough money, whatever was shown.
 */
async function requireSeen(
  client: Queryable,
  context: Context<MemberActor>,
  input: MoveInput,
  direction: TransferDirection,
): Promise<TransferApprovalFacts> {
  const facts = await readDraftFacts(client, context, input, direction);
  if (!facts) throw refused(NOT_THERE);
  const checks = runChecks(facts);
  if (approvalDigest(facts, checks) !== input.digest) {
    throw new NotMoved({ kind: "CHANGED", changes: describeChanges(input.digest, facts, checks) });
  }
  if (checks.some(({ kind, outcome }) => kind === "OUTGOING_CAP" && outcome === "BLOCKS")) {
    throw refused(
      "It would exceed what may leave Sluice within 24 hours. Move less, wait, or change the cap in Settings.",
    );
  }
  if (checks.some((check) => check.outcome === "BLOCKS")) {
    throw refused(`${facts.source.name} does not have that much available.`);
  }
  return facts;
}

const FAILURES: Record<string, string | undefined> = {
  INSUFFICIENT_FUNDS: "There is no longer enough money for it.",
  ABOVE_OUTGOING_CAP: "It would exceed what may leave Sluice within 24 hours.",
  ACCOUNT_CLOSED: "One of the accounts was closed.",
  BALANCE_UNAVAILABLE: "The balance of the source is currently unknown.",
};

interface MovedRow extends Omit<MoveDraft, "draftId"> {
  id: string;
  sourceName: string;
  destinationName: string;
  isOwn: boolean;
}

/**
 * The transfer that this draft already made (a double click, a retry after a lost response), or another one confirmed
 * under its id. Null: none yet.
 */
async function findMoved(
  database: Queryable,
  context: Context<MemberActor>,
  draft: MoveDraft,
): Promise<MoveDone | MoveUsed | null> {
  const { rows } = await database.query<MovedRow>({
    name: "find_member_move",
    text: `
      select t.id, t.amount_in_cents as "amountInCents", t.description as "achLabel", t.reason_for_approval as note,
          t.source_account_id as "sourceAccountId", t.destination_account_id as "destinationAccountId",
          s.name as "sourceName", d.name as "destinationName", m.moved_by = $3 as "isOwn"
        from member_moves m
        join transfers t on t.organization_id = m.organization_id and t.id = m.transfer_id
        join accounts s on s.organization_id = t.organization_id and s.id = t.source_account_id
        join accounts d on d.organization_id = t.organization_id and d.id = t.destination_account_id
       where m.organization_id = $1 and m.draft_id = $2`,
    values: [context.organizationId, draft.draftId, context.actor.id],
  });
  const moved = rows[0];
  if (!moved) return null;
  const href = proposalHref(moved.id);
  if (moved.isOwn && isSame(moved, draft)) return { kind: "MOVED", href };
  return {
    kind: "USED",
    message: `This page already moved ${formatCents(moved.amountInCents)} from ${moved.sourceName} to ${moved.destinationName}. Nothing else moved. Start again for another transfer.`,
    href,
  };
}

function isSame(moved: MovedRow, draft: MoveDraft): boolean {
  return (
    moved.amountInCents === draft.amountInCents &&
    moved.sourceAccountId === draft.sourceAccountId &&
    moved.destinationAccountId === draft.destinationAccountId &&
    moved.achLabel === draft.achLabel &&
    moved.note === draft.note
  );
}
