import {
  aboveCapLede,
  accessEnded,
  accessEndedLede,
  deniedLede,
  endedLede,
  expiredLede,
  onItsWayLede,
  who,
  whoLet,
} from "@/components/approvals/question-ledes";
import { runQuestion } from "@/components/approvals/run-question";
import { formatClock } from "@/components/time/format-instant";
import type { ApprovalView, TransferApprovalView } from "@/lib/contract/views/approval-view";

/** The one heading of the page, around its amount, and the sentence under it. */
export interface Question {
  before: string;
  /** Null: no amount belongs into it. */
  amountInCents: number | null;
  after: string;
  lede: string | null;
}

/** What the page asks or says. Heading and amount together read as one sentence. */
export function questionOf(view: ApprovalView): Question {
  if (view.kind === "RULE_RUN") return runQuestion(view);
  return { ...transferQuestion(view), amountInCents: view.amountInCents };
}

function transferQuestion(view: TransferApprovalView): Omit<Question, "amountInCents"> {
  const from = view.source.name;
  const to = view.destination.name;
  switch (view.status) {
    case "WAITING":
      return { before: "Move", after: `from ${from} to ${to}?`, lede: aboveCapLede(view) };
    case "ON_ITS_WAY":
      return { before: whoLet(view), after: `through to ${to}.`, lede: onItsWayLede(view) };
    case "SETTLED":
    case "PARTIAL":
      return { before: whoLet(view), after: `through to ${to}.`, lede: endedLede(view, "It settled") };
    case "DENIED":
      return { before: `${who(view)} kept`, after: `in ${from}.`, lede: deniedLede(view) };
    case "REVOKED":
      return {
        before: `${accessEnded(view)}:`,
        after: `stays in ${from}.`,
        lede: accessEndedLede(view),
      };
    case "EXPIRED":
      return {
        before: "Nobody decided about",
        after: `from ${from} to ${to}, so nothing moved.`,
        lede: expiredLede(view),
      };
    case "FAILED":
      return {
        before: "We could not move",
        after: `from ${from} to ${to}.`,
        lede: view.error?.sentence ?? null,
      };
    case "RETURNED":
      return { before: "The bank sent", after: `back to ${from}.`, lede: view.error?.sentence ?? null };
    case "CANCELLED":
      return {
        before: "Cancelled:",
        after: `stays in ${from}.`,
        lede: endedLede(view, "Cancelled before it left,"),
      };
  }
}

/** Two short lines above the gate. */
export function gateLabelOf(view: ApprovalView): [string, string] {
  const clock = view.decision ? formatClock(view.decision.at, view.time) : null;
  switch (view.status) {
    case "WAITING":
      return ["Closed until", view.viewer.canDecide ? "you approve" : "approved"];
    case "ON_ITS_WAY":
      return ["Open", clock ? `since ${clock}` : "and flowing"];
    case "SETTLED":
    case "PARTIAL":
      return ["Through,", "settled"];
    case "DENIED":
      return ["Denied", clock ? `at ${clock}` : "by a member"];
    case "REVOKED":
      return ["Closed,", view.asker.kind === "ASSISTANT" ? "disconnected" : "key revoked"];
    case "EXPIRED":
      return ["Stayed", "closed"];
    case "FAILED":
      return ["Closed,", "it failed"];
    case "RETURNED":
      return ["Sent", "back"];
    case "CANCELLED":
      return ["Closed,", "cancelled"];
  }
}
