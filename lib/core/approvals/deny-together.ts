import { createHash } from "node:crypto";
import type {
  ConfirmationRequest,
  DenialsSubject,
  DenyTogetherInput,
  DenyTogetherResult,
} from "@/lib/contract/confirmation/decision";
import { type Confirmed, decideOne, MAY_NOT_DECIDE, parseStated } from "@/lib/core/approvals/decide-proposal";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { type ChallengeScope, memberScope } from "@/lib/core/sign-in/challenge";
import {
  beginConfirmationOf,
  spendConfirmation,
  verifyConfirmationOf,
} from "@/lib/core/sign-in/confirmation";
import { NotConfirmed } from "@/lib/core/sign-in/not-confirmed";
import type { Services } from "@/lib/platform/services";

/** A challenge for these denials fits no other proposals and no other reason, and approves nothing. */
function denialsScope(
  actor: Pick<MemberActor, "id" | "sessionId">,
  { proposalIds, reason }: DenialsSubject,
): ChallengeScope {
  const stated = reason && [reason.kind, reason.text, reason.notBefore];
  const subject = createHash("sha256")
    .update(JSON.stringify([proposalIds, stated]))
    .digest("base64url");
  return memberScope("DECIDE", actor, `DENY_TOGETHER ${subject}`);
}

/** How this member must confirm these denials, with one challenge for all of them. Decides nothing. */
export function beginDenials(
  services: Pick<Services, "pool" | "clock" | "appUrl">,
  actor: MemberActor,
  subject: DenialsSubject,
): Promise<ConfirmationRequest> {
  return beginConfirmationOf(services, actor, denialsScope(actor, subject));
}

/**
 * Denies several proposals with one confirmation and one reason, each in a transaction of its own, in the order given: one
 * that was decided or has ended since stops no other (docs/behavior/approvals.md).
 */
export async function denyTogether(
  services: Services,
  context: Context<MemberActor>,
  { confirmation, ...input }: DenyTogetherInput,
): Promise<DenyTogetherResult> {
  if (!mayDecide(context.actor)) return MAY_NOT_DECIDE;
  const stated = await parseStated(services, context, input);
  if ("problem" in stated) return { kind: "NOT_CONFIRMED", message: stated.problem };
  try {
    const scope = denialsScope(context.actor, input);
    const verified = await verifyConfirmationOf(services, context.actor, scope, confirmation);
    // Consumed by the first denial that commits; it confirmed all of them.
    let consumed: Confirmed | null = null;
    let deniedCount = 0;
    const left: Extract<DenyTogetherResult, { kind: "DENIED" }>["left"] = [];
    for (const proposalId of new Set(input.proposalIds)) {
      let confirmed: Confirmed | null = null;
      const subject = { proposalId, decision: "DENY" as const, digest: "" };
      const result = await decideOne(services, context, subject, stated, async (client) => {
        // Again when the transaction is repeated: what a rolled-back attempt consumed is unspent.
        confirmed = consumed ?? (await spendConfirmation(client, verified));
        return confirmed;
      });
      if (result.kind === "DECIDED") {
        consumed = confirmed;
        deniedCount += 1;
      } else if (result.kind !== "SIGNED") left.push(result);
    }
    return { kind: "DENIED", deniedCount, left };
  } catch (error) {
    if (error instanceof NotConfirmed) return { kind: "NOT_CONFIRMED", message: error.message };
    throw error;
  }
}
