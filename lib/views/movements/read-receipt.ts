import type { LifeStepView, ReceiptView } from "@/lib/contract/views/movements-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import { readTransferDetail } from "@/lib/views/movements/read-transfer-detail";

/**
 * The receipt of a transfer, for any member; null where the organization has none with this id, or it has not settled.
 * @param setting with the organization's own time: a receipt is one and the same for everybody
 */
export async function readReceipt(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  id: string,
  setting: { organizationName: string; isSandbox: boolean; time: TimeContext },
): Promise<ReceiptView | null> {
  const { time, ...view } = setting;
  const transfer = await readTransferDetail(services, context, id, time);
  if (!transfer?.receiptHref) return null;
  return { ...view, transfer: { ...transfer, life: transfer.life.map(withName) } };
}

/** "Approved by you" would be somebody else's receipt. */
function withName(step: LifeStepView): LifeStepView {
  return step.kind === "APPROVED" || step.kind === "DENIED" ? { ...step, byViewer: false } : step;
}
