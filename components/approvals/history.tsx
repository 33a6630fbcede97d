import {
  Bell,
  Check,
  CircleMinus,
  CodeXml,
  Loader,
  Mail,
  Smartphone,
  TimerOff,
  TriangleAlert,
  Undo2,
  X,
} from "lucide-react";
import type { ReactNode } from "react";
import { historySentence } from "@/components/approvals/history-sentence";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { Timeline, type TimelineItem } from "@/components/ui/timeline";
import type { ApprovalView, HistoryItemView } from "@/lib/contract/views/approval-view";

/** The proposal's life, from being proposed to settlement. */
export function History({ view }: { view: ApprovalView }) {
  const items: TimelineItem[] = view.history.map((item, index) => ({
    key: `${item.kind}-${index}`,
    icon: iconOf(item),
    state: stateOf(item),
    tone: toneOf(item),
    ...historySentence(item, view),
  }));
  return (
    <section aria-labelledby="history">
      <h2 className="h3" id="history">
        History
      </h2>
      <Timeline items={items} />
    </section>
  );
}

function stateOf({ kind }: HistoryItemView): TimelineItem["state"] {
  if (kind === "WAITING") return "waiting";
  if (kind === "ON_ITS_WAY") return "underway";
  return kind === "SETTLEMENT_AHEAD" ? "ahead" : "done";
}

function toneOf({ kind }: HistoryItemView): TimelineItem["tone"] {
  return BAD.has(kind) ? "bad" : undefined;
}

const BAD = new Set<HistoryItemView["kind"]>(["DENIED", "REVOKED", "FAILED", "RETURNED", "PARTIAL"]);

function iconOf(item: HistoryItemView): ReactNode {
  switch (item.kind) {
    case "PROPOSED":
      return <CodeXml className="ic" />;
    case "NOTIFIED":
      if (item.isReminder) return <Bell className="ic" />;
      return item.channel === "EMAIL" ? <Mail className="ic" /> : <Smartphone className="ic" />;
    case "WAITING":
      return <GateClosedIcon />;
    case "APPROVED":
      return <GateOpenIcon />;
    case "DENIED":
    case "REVOKED":
      return <X className="ic" />;
    case "EXPIRED":
      return <TimerOff className="ic" />;
    case "ON_ITS_WAY":
      return <Loader className="ic" />;
    case "FAILED":
    case "PARTIAL":
      return <TriangleAlert className="ic" />;
    case "RETURNED":
      return <Undo2 className="ic" />;
    case "CANCELLED":
      return <CircleMinus className="ic" />;
    case "SETTLED":
    case "SETTLEMENT_AHEAD":
      return <Check className="ic" />;
  }
}
