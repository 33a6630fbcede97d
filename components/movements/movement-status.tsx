import { Clock, FlaskConical } from "lucide-react";
import { ApprovalStatusChip } from "@/components/approvals/approval-status";
import { type SluiceState, sluiceState } from "@/components/sluice/sluice-state";
import { Status } from "@/components/ui/status";
import type { MovementStatus } from "@/lib/contract/views/movements-view";

interface MovementStatusChipProps {
  status: MovementStatus;
  canDecide: boolean;
  isAssistant: boolean;
}

/** Where a movement stands, in the words of the whole dashboard. */
export function MovementStatusChip({ status, ...rest }: MovementStatusChipProps) {
  if (status === "DRY_RUN") {
    return (
      <Status tone="mute" icon={<FlaskConical className="ic" />}>
        Dry run
      </Status>
    );
  }
  if (status === "PENDING") {
    return (
      <Status tone="teal" icon={<Clock className="ic" />}>
        Not posted yet
      </Status>
    );
  }
  return <ApprovalStatusChip status={status} {...rest} />;
}

/** How a movement is drawn: a dry run is dashed and has no water. */
export function movementSluice(status: MovementStatus): SluiceState {
  if (status === "DRY_RUN") return "sim";
  return status === "PENDING" ? "open" : sluiceState(status);
}
