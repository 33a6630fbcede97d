import type { MovementTab } from "@/lib/contract/movement-search";
import type { MovementDetailView } from "@/lib/contract/views/movements-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import { readCardDetail } from "@/lib/views/movements/read-card-detail";
import { readOutsideDetail } from "@/lib/views/movements/read-outside-detail";
import { readTransferDetail } from "@/lib/views/movements/read-transfer-detail";

/** One movement as its drawer and its page show it, for any member; null when the organization has none with this id. */
export async function readMovementDetail(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  tab: MovementTab,
  id: string,
  time: TimeContext,
): Promise<MovementDetailView | null> {
  const read = { TRANSFERS: readTransferDetail, CARDS: readCardDetail, OUTSIDE: readOutsideDetail }[tab];
  return read(services, context, id, time);
}
