import { readPause } from "@/lib/core/approvals/read-pause";
import { mayDecide } from "@/lib/core/shared/permits";
import type { TimedReading } from "@/lib/views/reading";

/** Why a rule is paused, and what may be moved back; null if it does not exist or is not paused. */
export async function readPausedPage({ services, context, time }: TimedReading, ruleId: string) {
  const pause = await readPause(services, context, ruleId);
  return pause && { ...pause, viewer: { canDecide: mayDecide(context.actor) }, time };
}

export type PauseView = NonNullable<Awaited<ReturnType<typeof readPausedPage>>>;
export type SplitTransferView = PauseView["transfers"][number];
export type ReversalState = SplitTransferView["reversal"]["state"];
