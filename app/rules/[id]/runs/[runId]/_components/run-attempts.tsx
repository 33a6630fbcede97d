import { Check, CircleMinus, Clock, TriangleAlert, X } from "lucide-react";
import { formatMoment } from "@/components/time/format-instant";
import { GateClosedIcon } from "@/components/ui/icons";
import { Timeline, type TimelineItem } from "@/components/ui/timeline";
import type { RunView } from "@/lib/views/rules/read-run";

/** The attempts and their outcomes, and the decision if there was one. */
export function RunAttempts({ run }: { run: RunView }) {
  const items = [
    ...decisionItems(run),
    ...run.attempts.map(
      ({ at, problem }, index): TimelineItem => ({
        key: `attempt ${index}`,
        icon: <TriangleAlert />,
        title: problem.replace(/\.$/, ""),
        detail: `${formatMoment(at, run.time)}. Unknown is not zero, so it waited.`,
        state: "done",
      }),
    ),
    ...ranItems(run),
    ...aheadItems(run),
  ];
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="attempts">
      <h2 className="text-base font-semibold" id="attempts">
        Attempts
      </h2>
      <Timeline items={items} />
    </section>
  );
}

function decisionItems({ decision, startedBy, viewer: { canDecide }, time }: RunView): TimelineItem[] {
  if (decision === null) return [];
  const at = decision.at ? formatMoment(decision.at, time) : "";
  const by = decision.byName ?? "A member";
  switch (decision.state) {
    case "WAITING":
      return [
        {
          key: "decision",
          icon: <GateClosedIcon />,
          title: canDecide ? "Needs your decision" : "Waiting for an owner or co-owner",
          detail: "It is recalculated from the balances at the time of the decision.",
          state: "waiting",
        },
      ];
    case "APPROVED":
      return [
        {
          key: "decision",
          icon: <Check />,
          title: `${by} approved it`,
          detail: at,
          state: "done",
          tone: "good",
        },
      ];
    case "DENIED":
      return [
        {
          key: "decision",
          icon: <X />,
          title: `${by} denied it`,
          detail: at,
          state: "done",
          tone: "bad",
        },
      ];
    case "EXPIRED":
      return [
        {
          key: "decision",
          icon: <CircleMinus />,
          title: "Expired without a decision",
          detail: at,
          state: "done",
        },
      ];
    case "RULE_CHANGED":
      return [
        {
          key: "decision",
          icon: <CircleMinus />,
          title: "Ended: its version was replaced or deactivated",
          detail: at,
          state: "done",
        },
      ];
    case "WITHDRAWN":
      return [
        {
          key: "decision",
          icon: <CircleMinus />,
          title: "Withdrawn by its requester",
          detail: at,
          state: "done",
        },
      ];
    case "REVOKED":
      return [
        {
          key: "decision",
          icon: <X />,
          title: startedBy.kind === "ASSISTANT" ? "Assistant disconnected" : "Key revoked",
          detail: at,
          state: "done",
          tone: "bad",
        },
      ];
  }
}

function ranItems({ plannedAt, mode, attempts, time, status, endedAt }: RunView): TimelineItem[] {
  if (plannedAt !== null) {
    return [
      {
        key: "ran",
        icon: <Check />,
        title: mode === "SIMULATION" ? "Calculated" : "Ran",
        detail: [
          formatMoment(plannedAt, time),
          ...(attempts.length > 0
            ? [attempts.length === 1 ? "on the second attempt" : `after ${attempts.length} attempts`]
            : []),
        ].join(", "),
        state: "done",
        tone: "good",
      },
    ];
  }
  if (status !== "FAILED") return [];
  return [
    {
      key: "failed",
      icon: <X />,
      title: "Failed",
      detail: endedAt ? formatMoment(endedAt, time) : "It won’t be retried.",
      state: "done",
      tone: "bad",
    },
  ];
}

function aheadItems({ nextAttemptAt, status, mode, time, plannedAt }: RunView): TimelineItem[] {
  if (nextAttemptAt !== null && status === "IN_PROGRESS") {
    return [
      {
        key: "next",
        icon: <Clock />,
        title: "Next attempt",
        detail: `${formatMoment(nextAttemptAt, time)}. Later retries after 5 min, 30 min and 2 h.`,
        state: "underway",
      },
    ];
  }
  if (mode === "SIMULATION" || status === "APPROVAL_PENDING" || status === "APPROVAL_DENIED") return [];
  if (plannedAt === null) return [];
  return [
    {
      key: "next",
      icon: <Clock />,
      title: "No next attempt",
      detail:
        status === "IN_PROGRESS"
          ? "It ran; its transfers are on their way."
          : "It is done. Retries follow errors after 1 min, 5 min, 30 min and 2 h.",
      state: "ahead",
    },
  ];
}
