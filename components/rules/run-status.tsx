import { Check, CircleMinus, Clock, FlaskConical, TimerOff, TriangleAlert, Undo2, X } from "lucide-react";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { Status } from "@/components/ui/status";
import type { RuleExecutionStatus } from "@/lib/contract/rules/execution";
import type { ExecutionMode, TransferStatus } from "@/lib/contract/transfer";

interface RunStatusProps {
  status: RuleExecutionStatus;
  mode: ExecutionMode;
  conditionsNotMet: boolean;
  /** An error keeps it, and it is tried again. */
  isWaitingToRetry: boolean;
  /** Nobody decided in time. */
  isExpired: boolean;
  /** Whether the reader is one of those for whom it waits. */
  canDecide: boolean;
}

/** The status of a run in the words of the dashboard. */
export function RunStatus({ status, mode, conditionsNotMet, ...run }: RunStatusProps) {
  if (mode === "SIMULATION") return <DryRunStatus />;
  switch (status) {
    case "IN_PROGRESS":
      return run.isWaitingToRetry ? (
        <Status tone="teal" icon={<Clock className="ic" />}>
          Waits to try again
        </Status>
      ) : (
        <Status tone="teal" icon={<GateOpenIcon />}>
          On its way
        </Status>
      );
    case "EXECUTED":
      return conditionsNotMet ? (
        <Status tone="mute" icon={<CircleMinus className="ic" />}>
          Nothing to move
        </Status>
      ) : (
        <Status tone="green" icon={<Check className="ic" />}>
          Settled
        </Status>
      );
    case "PARTIAL":
      return (
        <Status tone="red" icon={<TriangleAlert className="ic" />}>
          Partly settled
        </Status>
      );
    case "FAILED":
      return (
        <Status tone="red" icon={<TriangleAlert className="ic" />}>
          Failed
        </Status>
      );
    case "APPROVAL_PENDING":
      return (
        <Status tone="amber" icon={<GateClosedIcon />}>
          {run.canDecide ? "Waiting for you" : "Waiting for approval"}
        </Status>
      );
    case "APPROVAL_DENIED":
      return run.isExpired ? (
        <Status tone="mute" icon={<TimerOff className="ic" />}>
          Expired
        </Status>
      ) : (
        <Status tone="red" icon={<X className="ic" />}>
          Denied
        </Status>
      );
  }
}

/** A dry run ends as it is: it has moved nothing, whatever it would do. */
function DryRunStatus() {
  return (
    <Status tone="mute" icon={<FlaskConical className="ic" />}>
      Dry run
    </Status>
  );
}

/** The status of a run's transfer. */
export function RunTransferStatus({ status, mode }: { status: TransferStatus; mode: ExecutionMode }) {
  if (mode === "SIMULATION") {
    return status === "FAILED" ? (
      <Status tone="mute" icon={<CircleMinus className="ic" />}>
        Would fail
      </Status>
    ) : (
      <DryRunStatus />
    );
  }
  switch (status) {
    case "COMPLETE":
      return (
        <Status tone="green" icon={<Check className="ic" />}>
          Settled
        </Status>
      );
    case "PROCESSING":
      return (
        <Status tone="teal" icon={<GateOpenIcon />}>
          On its way
        </Status>
      );
    case "APPROVAL_PENDING":
      return (
        <Status tone="amber" icon={<GateClosedIcon />}>
          Waiting
        </Status>
      );
    case "APPROVAL_DENIED":
      return (
        <Status tone="red" icon={<X className="ic" />}>
          Denied
        </Status>
      );
    case "FAILED":
      return (
        <Status tone="red" icon={<TriangleAlert className="ic" />}>
          Failed
        </Status>
      );
    case "RETURNED":
      return (
        <Status tone="red" icon={<Undo2 className="ic" />}>
          Sent back
        </Status>
      );
    case "CANCELLED":
      return (
        <Status tone="mute" icon={<CircleMinus className="ic" />}>
          Cancelled
        </Status>
      );
  }
}
