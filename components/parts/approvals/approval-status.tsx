import { Check, CircleMinus, TimerOff, TriangleAlert, Undo2, X } from "lucide-react";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { Status } from "@/components/ui/status";
import type { ApprovalStatus } from "@/lib/contract/approvals/approval";

interface ApprovalStatusChipProps {
  status: ApprovalStatus;
  /** Whether the viewer may decide it. */
  canDecide: boolean;
  /** Whether several people sign it. */
  needsSignatures?: boolean;
  /** Whether an assistant, not a key, requested it. */
  isAssistant?: boolean;
}

/** The status of a proposal. */
export function ApprovalStatusChip({
  status,
  canDecide,
  needsSignatures = false,
  isAssistant = false,
}: ApprovalStatusChipProps) {
  switch (status) {
    case "WAITING":
      return (
        <Status tone="amber" icon={<GateClosedIcon />}>
          {canDecide
            ? needsSignatures
              ? "Needs your signature"
              : "Needs your decision"
            : "Waiting for approval"}
        </Status>
      );
    case "ON_ITS_WAY":
      return (
        <Status tone="teal" icon={<GateOpenIcon />}>
          On its way
        </Status>
      );
    case "SETTLED":
      return (
        <Status tone="green" icon={<Check />}>
          Settled
        </Status>
      );
    case "PARTIAL":
      return (
        <Status tone="red" icon={<TriangleAlert />}>
          Partly settled
        </Status>
      );
    case "DENIED":
      return (
        <Status tone="red" icon={<X />}>
          Denied
        </Status>
      );
    case "REVOKED":
      return (
        <Status tone="red" icon={<X />}>
          {isAssistant ? "Assistant disconnected" : "Key revoked"}
        </Status>
      );
    case "FAILED":
      return (
        <Status tone="red" icon={<TriangleAlert />}>
          Failed
        </Status>
      );
    case "RETURNED":
      return (
        <Status tone="red" icon={<Undo2 />}>
          Returned
        </Status>
      );
    case "CANCELLED":
      return (
        <Status tone="mute" icon={<CircleMinus />}>
          Cancelled
        </Status>
      );
    case "RULE_CHANGED":
      return (
        <Status tone="mute" icon={<CircleMinus />}>
          Ended
        </Status>
      );
    case "WITHDRAWN":
      return (
        <Status tone="mute" icon={<CircleMinus />}>
          Withdrawn
        </Status>
      );
    case "EXPIRED":
      return (
        <Status tone="mute" icon={<TimerOff />}>
          Expired
        </Status>
      );
  }
}
