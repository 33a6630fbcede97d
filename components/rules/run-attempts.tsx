import { Check, CircleMinus, Clock, TriangleAlert, X } from "lucide-react";
import { formatMoment } from "@/components/time/format-instant";
import { GateClosedIcon } from "@/components/ui/icons";
import { Timeline, type TimelineItem } from "@/components/ui/timeline";
import type { RunView } from "@/lib/contract/views/run-view";

/** When it was tried and what came of it; of a run that a person decided, how. */
export function RunAttempts({ run }: { run: RunView }) {
  const items = [
    ...decisionItems(run),
    ...run.attempts.map(
      ({ at, problem }, index): TimelineItem => ({
        key: `attempt ${index}`,
        icon: <TriangleAlert className="ic" />,
        title: problem.replace(/\.$/, ""),
        detail: `${formatMoment(at, run.time)}. Unknown is never taken for zero, so it waited.`,
        state: "done",
      }),
    ),
    ...ranItems(run),
    ...aheadItems(run),
  ];
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="attempts">
      <h2 className="h3" id="attempts">
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
          title: canDecide ? "Waits for you" : "Waits for an owner or co-owner",
          detail: "It is worked out again from the balances at the moment of the decision.",
          state: "waiting",
        },
      ];
    case "APPROVED":
      return [
        {
          key: "decision",
          icon: <Check className="ic" />,
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
          icon: <X className="ic" />,
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
          icon: <CircleMinus className="ic" />,
          title: "Nobody decided in time",
          detail: at,
          state: "done",
        },
      ];
    case "REVOKED":
      return [
        {
          key: "decision",
          icon: <X className="ic" />,
          title: startedBy.kind === "ASSISTANT" ? "Its assistant was disconnected" : "Its key was revoked",
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
        icon: <Check className="ic" />,
        title: mode === "SIMULATION" ? "Worked out" : "Ran",
        detail: [
          formatMoment(plannedAt, time),
          ...(attempts.length > 0
            ? [attempts.length === 1 ? "the second time" : `after ${attempts.length} tries`]
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
      icon: <X className="ic" />,
      title: "Failed",
      detail: endedAt ? formatMoment(endedAt, time) : "It is not tried again.",
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
        icon: <Clock className="ic" />,
        title: "Next attempt",
        detail: `${formatMoment(nextAttemptAt, time)}. Then after 5 min, 30 min and 2 h, as far as they are left.`,
        state: "underway",
      },
    ];
  }
  if (mode === "SIMULATION" || status === "APPROVAL_PENDING" || status === "APPROVAL_DENIED") return [];
  if (plannedAt === null) return [];
  return [
    {
      key: "next",
      icon: <Clock className="ic" />,
      title: "No next attempt",
      detail:
        status === "IN_PROGRESS"
          ? "It ran; its transfers are on their way."
          : "It is done. Otherwise after 1 min, 5 min, 30 min and 2 h.",
      state: "ahead",
    },
  ];
}
