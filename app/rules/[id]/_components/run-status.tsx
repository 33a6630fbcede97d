import { CircleMinus, Clock, FlaskConical } from "lucide-react";
import { Crumb } from "@/components/layout/crumb";
import { ApprovalStatusChip } from "@/components/parts/approvals/approval-status";
import { Status } from "@/components/ui/status";
import type { ApprovalStatus } from "@/lib/contract/approvals/approval";
import type { RuleExecutionStatus } from "@/lib/contract/rules/execution";
import type { ExecutionMode, TransferStatus } from "@/lib/contract/transfer";
import type { RunRowView } from "@/lib/views/rules/read-runs";

interface RunStatusProps {
  status: RuleExecutionStatus;
  mode: ExecutionMode;
  /** Executed, without a transfer that moved or moves anything. */
  movedNothing: boolean;
  /** Failed with an error; will be retried. */
  isWaitingToRetry: boolean;
  /** Why it ended without a decision. */
  endedBy: RunRowView["endedBy"];
  /** Whether the viewer may decide it. */
  canDecide: boolean;
}

/** The status of a run. */
export function RunStatus(run: RunStatusProps) {
  if (run.mode === "SIMULATION") return <DryRunStatus />;
  if (run.status === "IN_PROGRESS" && run.isWaitingToRetry) {
    return (
      <Status tone="teal" icon={<Clock />}>
        Waiting to retry
      </Status>
    );
  }
  if (run.status === "EXECUTED" && run.movedNothing) {
    return (
      <Status tone="mute" icon={<CircleMinus />}>
        Nothing to move
      </Status>
    );
  }
  return <ApprovalStatusChip status={statusOfRun(run)} canDecide={run.canDecide} />;
}

const OF_RUN = {
  IN_PROGRESS: "ON_ITS_WAY",
  EXECUTED: "SETTLED",
  PARTIAL: "PARTIAL",
  FAILED: "FAILED",
  APPROVAL_PENDING: "WAITING",
  APPROVAL_DENIED: "DENIED",
} as const satisfies Record<RuleExecutionStatus, ApprovalStatus>;

const OF_END = { EXPIRY: "EXPIRED", RULE_CHANGE: "RULE_CHANGED", WITHDRAWAL: "WITHDRAWN" } as const;

function statusOfRun({ status, endedBy }: RunStatusProps): ApprovalStatus {
  return status === "APPROVAL_DENIED" && endedBy !== null ? OF_END[endedBy] : OF_RUN[status];
}

/** A dry run moves nothing, whatever its plan. */
function DryRunStatus() {
  return (
    <Status tone="mute" icon={<FlaskConical />}>
      Dry run
    </Status>
  );
}

const OF_TRANSFER = {
  PROCESSING: "ON_ITS_WAY",
  COMPLETE: "SETTLED",
  FAILED: "FAILED",
  RETURNED: "RETURNED",
  CANCELLED: "CANCELLED",
  APPROVAL_PENDING: "WAITING",
  APPROVAL_DENIED: "DENIED",
} as const satisfies Record<TransferStatus, ApprovalStatus>;

/** The status of a run's transfer. */
export function RunTransferStatus({ status, mode }: { status: TransferStatus; mode: ExecutionMode }) {
  if (mode === "LIVE") return <ApprovalStatusChip status={OF_TRANSFER[status]} canDecide={false} />;
  if (status !== "FAILED") return <DryRunStatus />;
  return (
    <Status tone="mute" icon={<CircleMinus />}>
      Would fail
    </Status>
  );
}

interface RunCrumbProps {
  rule: { name: string; href: string };
  /** Links between the rule's and this page. */
  via?: { label: string; href: string };
  here: string;
}

/** The breadcrumb of a page below a rule. */
export function RunCrumb({ rule, via, here }: RunCrumbProps) {
  return (
    <Crumb
      ways={[
        { href: "/rules", label: "Rules" },
        { href: rule.href, label: rule.name },
        ...(via ? [via] : []),
      ]}
      here={here}
    />
  );
}
