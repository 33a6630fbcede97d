import { bankingDayAt } from "@/lib/contract/banking-days";
import { formatCents } from "@/lib/contract/format-cents";
import type { MoveDraft, MoveInput, MoveSubject } from "@/lib/contract/move";
import type { TransferDirection } from "@/lib/contract/transfer";
import type { BeginMoveResult, MoveDone, MoveResult, MoveUsed } from "@/lib/contract/views/move-view";
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
import { writeDecision } from "@/lib/core/approvals/write-decision";
import { areGatesOpen, gatesClosed } from "@/lib/core/keys/gates";

import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { BOOK_TRANSFERS, DELIVER_EVENTS, SEND_NOTICES } from "@/lib/core/shared/work-names";
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

/** A confirmation of this draft, as it was shown, answers for no other. The digest covers all of it. */
function moveScope(actor: MemberActor, { draftId, digest }: MoveSubject): ChallengeScope {
  return memberScope("DECIDE", actor, `MOVE_MONEY ${draftId} ${digest}`);
}

/**
 * How this member must confirm the move, with the challenge for it; or that it is done already.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks.
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

/** Ends the transaction without a move, so that the confirmation is not used up either. */
class NotMoved extends Error {
  constructor(readonly result: MoveResult | "RIVAL") {
    super("Nothing moved");
  }
}

/**
 * Moves money because a member says so, who thereby approves it (decisions page, "Approval"): a proposal of theirs and
 * its approval in one transaction, with the locks, the digest and the acceptance of any approval. One draft moves once,
 * however often and from however many places its confirmation is sent.
 * @throws NotConfirmed; AppError `ACCESS_DENIED` unless an owner or co-owner asks, and while all gates are closed;
 * `INVALID_PARAMETERS` where the money cannot go this way or is not there.
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
    await inTransaction(services.pool, (client) => moveLocked(client, context, input, confirmation));
  } catch (error) {
    return await afterFailure(services, context, input, error);
  }
  for (const work of [SEND_NOTICES, DELIVER_EVENTS, BOOK_TRANSFERS]) services.wake(work);
  return done(services, context, input);
}

/** A rival with the same draft may have been first: its proof is then spent, or its draft taken, and all is well. */
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
  if (!moved) throw new Error("A committed move is not there");
  return moved;
}

/** Locks in the house's order: session and proof, membership, draft, ledgers. */
async function moveLocked(
  client: Queryable,
  context: Context<MemberActor>,
  input: MoveInput,
  confirmation: VerifiedConfirmation,
): Promise<void> {
  const { method, passkeyName } = await spendConfirmation(client, confirmation);
  if (!(await areGatesOpen(client, context.organizationId))) throw gatesClosed();
  await requireDecider(client, context, "move money");
  const transferId = newId(context.now);
  await claimDraft(client, context, input.draftId, transferId);
  const direction = await routeOfDraft(client, context, input);
  await client.query("select lock_ledgers($1, $2)", [
    context.organizationId,
    [input.sourceAccountId, input.destinationAccountId],
  ]);
  await requireSeen(client, context, input, direction);
  await proposeAsMember(client, context, transferId, draftedTransfer(input, direction), input.note);
  await writeDecision(client, context, transferId, {
    state: "APPROVED",
    method,
    passkeyName,
    note: null,
    digest: input.digest,
  });
  await accept(client, context, transferId);
}

/** Of any number with the same draft at once one goes on: the others wait here for its commit. */
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
 * Recomputes what was seen, under the locks.
 * @throws NotMoved when it is not what was seen; AppError when there is not enough, whatever was seen.
 */
async function requireSeen(
  client: Queryable,
  context: Context<MemberActor>,
  input: MoveInput,
  direction: TransferDirection,
): Promise<void> {
  const facts = await readDraftFacts(client, context, input, direction);
  if (!facts) throw refused(NOT_THERE);
  const checks = runChecks(facts);
  if (approvalDigest(facts, checks) !== input.digest) {
    throw new NotMoved({ kind: "CHANGED", changes: describeChanges(input.digest, facts, checks) });
  }
  if (checks.some((check) => check.outcome === "BLOCKS")) {
    throw refused(`${facts.source.name} does not have that much available.`);
  }
}

/** An approved proposal may fail a moment later; a person who moves money is told at once, and nothing is written. */
async function accept(client: Queryable, context: Context<MemberActor>, transferId: string): Promise<void> {
  const { rows } = await client.query<{ error_code: string | null }>(
    "select accept_approved_transfer($1, $2, $3, $4) as error_code",
    [context.organizationId, transferId, bankingDayAt(context.now), context.now],
  );
  const errorCode = rows[0]?.error_code ?? null;
  if (errorCode === null) return;
  // Outside no ledger is locked: another pull of the same moment may have taken what the checks had seen.
  throw new NotMoved({ kind: "CHANGED", changes: [FAILURES[errorCode] ?? `It would fail: ${errorCode}.`] });
}

const FAILURES: Record<string, string | undefined> = {
  INSUFFICIENT_FUNDS: "There is no longer enough money for it.",
  ACCOUNT_CLOSED: "One of the accounts was closed.",
  BALANCE_UNAVAILABLE: "What the source holds is not known at the moment.",
};

interface MovedRow {
  id: string;
  amount_in_cents: number;
  description: string | null;
  reason: string | null;
  source_account_id: string;
  destination_account_id: string;
  source_name: string;
  destination_name: string;
  is_own: boolean;
}

/**
 * What a draft has become already: the same transfer (a double click, a retry after a lost answer), or another one that
 * was confirmed under its id, after which it moves nothing more. Null: nothing yet.
 */
async function findMoved(
  database: Queryable,
  context: Context<MemberActor>,
  draft: MoveDraft,
): Promise<MoveDone | MoveUsed | null> {
  const { rows } = await database.query<MovedRow>({
    name: "find_member_move",
    text: `
      select t.id, t.amount_in_cents, t.description, t.reason_for_approval as reason, t.source_account_id,
          t.destination_account_id, s.name as source_name, d.name as destination_name, m.moved_by = $3 as is_own
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
  if (moved.is_own && isSame(moved, draft)) return { kind: "MOVED", href };
  return {
    kind: "USED",
    message: `This page moved ${formatCents(moved.amount_in_cents)} from ${moved.source_name} to ${moved.destination_name} before. Nothing more was moved. Start again for another transfer.`,
    href,
  };
}

function isSame(moved: MovedRow, draft: MoveDraft): boolean {
  return (
    moved.amount_in_cents === draft.amountInCents &&
    moved.source_account_id === draft.sourceAccountId &&
    moved.destination_account_id === draft.destinationAccountId &&
    moved.description === draft.achLabel &&
    moved.reason === draft.note
  );
}
