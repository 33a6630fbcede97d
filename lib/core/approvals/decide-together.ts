import { createHash } from "node:crypto";
import type {
  DecideTogetherInput,
  DecideTogetherResult,
  Decisions,
  OneOfSeveral,
  OneOutcome,
} from "@/lib/contract/confirmation/decide-together";
import type { ConfirmationRequest } from "@/lib/contract/confirmation/decision";
import {
  type Confirmed,
  decideOne,
  MAY_NOT_DECIDE,
  parseStated,
  type Stated,
} from "@/lib/core/approvals/decide-proposal";
import { removeMarks } from "@/lib/core/approvals/review-marks";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { type ChallengeScope, memberScope } from "@/lib/core/sign-in/challenge";
import {
  beginConfirmationOf,
  spendConfirmation,
  verifyConfirmationOf,
} from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import { hasCode } from "@/lib/platform/error-code";
import type { Services } from "@/lib/platform/services";

/** A challenge for these decisions fits no other proposals, order, digests, reasons or notes. */
function decisionsScope(
  actor: Pick<MemberActor, "id" | "sessionId">,
  decisions: readonly OneOfSeveral[],
): ChallengeScope {
  const subject = createHash("sha256")
    .update(JSON.stringify(decisions.map(boundOf)))
    .digest("base64url");
  return memberScope("DECIDE", actor, `DECIDE_TOGETHER ${subject}`);
}

/** A denial confirms nothing about what was shown, so a change must not invalidate it. */
function boundOf({ proposalId, decision, digest, reason, note }: OneOfSeveral) {
  if (decision === "APPROVE") return [proposalId, decision, digest];
  return [proposalId, decision, reason && [reason.kind, reason.text, reason.notBefore], note];
}

/** How this member must confirm these decisions, with one challenge for all of them. Decides nothing. */
export function beginTogether(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  { decisions }: Decisions,
): Promise<ConfirmationRequest> {
  return beginConfirmationOf(services, actor, decisionsScope(actor, decisions));
}

/**
 * Decides several proposals with one confirmation, each in a transaction of its own, in the order given: one that was
 * decided, has changed or has ended since stops no other, and its result says so (docs/behavior/approvals.md).
 */
export async function decideTogether(
  services: Services,
  context: Context<MemberActor>,
  { decisions, confirmation }: DecideTogetherInput,
): Promise<DecideTogetherResult> {
  if (!mayDecide(context.actor)) return MAY_NOT_DECIDE;
  if (new Set(decisions.map(({ proposalId }) => proposalId)).size < decisions.length) {
    return { kind: "REFUSED", message: "A proposal is decided twice here. Nothing was decided." };
  }
  const stated: Stated[] = [];
  for (const one of decisions) {
    const parsed = await parseStated(services, context, one.decision === "DENY" ? one : null);
    if ("problem" in parsed) return { kind: "NOT_CONFIRMED", message: parsed.problem };
    stated.push(parsed);
  }
  try {
    const scope = decisionsScope(context.actor, decisions);
    const verified = await verifyConfirmationOf(services, context.actor, scope, confirmation);
    const outcomes = await afterwardsWoken(services, (quiet) =>
      decideEach(quiet, context, decisions, stated, (client) => spendConfirmation(client, verified)),
    );
    await removeMarks(
      services.pool,
      context,
      outcomes.filter(isOver).map(({ proposalId }) => proposalId),
    );
    return { kind: "DECIDED_TOGETHER", outcomes };
  } catch (error) {
    if (error instanceof NotConfirmed) return { kind: "NOT_CONFIRMED", message: error.message };
    throw error;
  }
}

/** Nothing is left to decide, so a mark of a review has no use any more. */
function isOver({ result: { kind } }: OneOutcome): boolean {
  return kind === "DECIDED" || kind === "SIGNED" || kind === "ALREADY_DECIDED" || kind === "EXPIRED";
}

async function decideEach(
  services: Services,
  context: Context<MemberActor>,
  decisions: readonly OneOfSeveral[],
  stated: readonly Stated[],
  spend: Parameters<typeof decideOne>[4],
): Promise<OneOutcome[]> {
  // Consumed by the first decision that commits; it confirmed all of them.
  let consumed: Confirmed | null = null;
  const outcomes: OneOutcome[] = [];
  for (const [index, subject] of decisions.entries()) {
    let confirmed: Confirmed | null = null;
    const words = stated[index] ?? { note: null, reason: null };
    const result = await orBusy(
      decideOne(services, context, subject, words, async (client) => {
        // Again when the transaction is repeated: what a rolled-back attempt consumed is unspent.
        confirmed = consumed ?? (await spend(client));
        return confirmed;
      }),
    );
    if (result.kind === "DECIDED" || result.kind === "SIGNED") consumed = confirmed;
    outcomes.push({ proposalId: subject.proposalId, result });
  }
  return outcomes;
}

const LOCK_NOT_AVAILABLE = "55P03";

/** Someone else holds its money for seconds: that one is left, and the others go on. */
async function orBusy(deciding: Promise<OneOutcome["result"]>): Promise<OneOutcome["result"]> {
  try {
    return await deciding;
  } catch (error) {
    if (!hasCode(error, LOCK_NOT_AVAILABLE)) throw error;
    return { kind: "REFUSED", message: "Its accounts are busy right now. It was not decided; try again." };
  }
}

/** Wakes what the decisions made due after the last of them: a rule must not move money between two of them. */
async function afterwardsWoken<T>(services: Services, run: (quiet: Services) => Promise<T>): Promise<T> {
  const due = new Set<string>();
  try {
    return await run({ ...services, wake: (workName) => due.add(workName) });
  } finally {
    for (const workName of due) services.wake(workName);
  }
}
