import { AppError } from "@/lib/contract/error";
import type { Context, MemberActor } from "@/lib/core/context";
import { mayDecide } from "@/lib/core/keys/permits";
import { CardNotIssued } from "@/lib/ports/cards/sandbox/sandbox-card-network";

/**
 * Runs what a member has the sandbox do with a card.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks, `INVALID_PARAMETERS` for a card of nobody.
 */
export async function inSandbox<T>(context: Context<MemberActor>, run: () => Promise<T>): Promise<T> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may move money in the sandbox.");
  }
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CardNotIssued)) throw error;
    throw new AppError("INVALID_PARAMETERS", "There is no such card.");
  }
}
