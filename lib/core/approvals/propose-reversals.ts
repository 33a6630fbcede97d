import { AppError } from "@/lib/contract/error";
import { writeCents } from "@/lib/contract/format-cents";
import type { ReversalState, ReversalsResult } from "@/lib/contract/views/pause-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { proposeMoveBack } from "@/lib/core/approvals/propose-move-back";
import { readPause } from "@/lib/core/approvals/read-pause";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

/** Those that a person denied stay denied until somebody proposes them one by one. */
const TO_PROPOSE: ReadonlySet<ReversalState> = new Set(["NOT_PROPOSED", "FAILED"]);

/**
 * Proposes the way back of everything that rules made of money which was sent back; each is decided like any proposal.
 * What was proposed before, or is done, stays as it is, so pressing it twice proposes nothing twice.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `RULE_NOT_FOUND` for one that is not paused.
 */
export async function proposeReversals(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
  ruleId: string,
  time: TimeContext,
): Promise<ReversalsResult> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may move money back.");
  }
  const pause = await readPause(services, context, ruleId, time);
  if (!pause) throw new AppError("RULE_NOT_FOUND", "This rule is not paused. Nothing was proposed.");
  const reason = `The bank sent back ${writeCents(pause.returned.amountInCents)} that rules had already split.`;
  const result: ReversalsResult = { proposedCount: 0, refusals: [] };
  for (const transfer of pause.transfers) {
    if (!TO_PROPOSE.has(transfer.reversal.state)) continue;
    try {
      await proposeMoveBack(services, context, { transferId: transfer.id, reason });
      result.proposedCount += 1;
    } catch (error) {
      // One closed account must not keep the others from being proposed.
      if (!(error instanceof AppError)) throw error;
      result.refusals.push(`${transfer.toName} to ${transfer.fromName}: ${error.message}`);
    }
  }
  return result;
}
