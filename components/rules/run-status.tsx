import { CircleCheck, CircleDashed, CircleX, Clock, Hourglass } from "lucide-react";
import { Status } from "@/components/ui/status";
import type { RuleRunView } from "@/lib/contract/views/rule-view";

/** What became of a run, in the words of the dashboard (design, section 11). */
export function RunStatus({ run }: { run: Pick<RuleRunView, "status" | "mode"> }) {
  if (run.mode === "SIMULATION") {
    return (
      <Status tone="mute" icon={<CircleDashed className="ic" />}>
        Dry run
      </Status>
    );
  }
  switch (run.status) {
    case "EXECUTED":
      return (
        <Status tone="green" icon={<CircleCheck className="ic" />}>
          Settled
        </Status>
      );
    case "PARTIAL":
      return (
        <Status tone="red" icon={<CircleX className="ic" />}>
          Partly settled
        </Status>
      );
    case "FAILED":
      return (
        <Status tone="red" icon={<CircleX className="ic" />}>
          Failed
        </Status>
      );
    case "APPROVAL_PENDING":
      return (
        <Status tone="amber" icon={<Hourglass className="ic" />}>
          Waiting for approval
        </Status>
      );
    case "APPROVAL_DENIED":
      return (
        <Status tone="red" icon={<CircleX className="ic" />}>
          Not approved
        </Status>
      );
    case "IN_PROGRESS":
      return (
        <Status tone="teal" icon={<Clock className="ic" />}>
          On its way
        </Status>
      );
  }
}
