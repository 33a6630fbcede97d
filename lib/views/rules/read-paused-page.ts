import type { TimeContext } from "@/lib/contract/time-context";
import { readPause } from "@/lib/core/approvals/read-pause";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Services } from "@/lib/platform/services";

/** Why a rule is paused, and what may be moved back; null if it does not exist or is not paused. */
export async function readPausedPage(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  ruleId: string,
  time: TimeContext,
) {
  const pause = await readPause(services, context, ruleId);
  return pause && { ...pause, viewer: { canDecide: mayDecide(context.actor) }, time };
}

export type PauseView = NonNullable<Awaited<ReturnType<typeof readPausedPage>>>;
export type SplitTransferView = PauseView["transfers"][number];
export type ReversalState = SplitTransferView["reversal"]["state"];
