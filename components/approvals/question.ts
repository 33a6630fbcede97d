import { formatClock, formatDate, formatMoment, formatWeekdayMoment } from "@/components/time/format-instant";
import type { ApprovalView } from "@/lib/contract/views/approval-view";

/** The one heading of the page, around its amount, and the sentence under it. */
export interface Question {
  before: string;
  after: string;
  lede: string | null;
}

const HOUR_MS = 3_600_000;

/** What the page asks or says, by status. Heading and amount together read as one sentence. */
export function questionOf(view: ApprovalView): Question {
  const from = view.source.name;
  const to = view.destination.name;
  switch (view.status) {
    case "WAITING":
      return { before: "Move", after: `from ${from} to ${to}?`, lede: null };
    case "ON_ITS_WAY":
      return { before: whoLet(view), after: `through to ${to}.`, lede: onItsWayLede(view) };
    case "SETTLED":
      return { before: whoLet(view), after: `through to ${to}.`, lede: endedLede(view, "It settled") };
    case "DENIED":
      return { before: `${who(view)} kept`, after: `in ${from}.`, lede: deniedLede(view) };
    case "REVOKED":
      return {
        before: "Its key was revoked:",
        after: `stays in ${from}.`,
        lede: "The key that asked for this was revoked before anybody decided. It counts as denied. Nothing moved.",
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
      return ["Through,", "settled"];
    case "DENIED":
      return ["Denied", clock ? `at ${clock}` : "by a member"];
    case "REVOKED":
      return ["Closed,", "key revoked"];
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

function who(view: ApprovalView): string {
  if (!view.decision) return "Sluice";
  return view.decision.byViewer ? "You" : view.decision.byName;
}

function whoLet(view: ApprovalView): string {
  return view.decision ? `${who(view)} let` : "Sluice let";
}

function onItsWayLede({ settlesOver, expectedOn, time }: ApprovalView): string {
  const expectation =
    settlesOver === "BOOKS" ? "within a minute" : expectedOn && `on ${formatDate(expectedOn, time)}`;
  if (!expectation) return "It is on its way. You can close this page.";
  return `It is on its way and should settle ${expectation}. You can close this page.`;
}

function endedLede({ endedAt, time }: ApprovalView, what: string): string | null {
  return endedAt ? `${what} ${lowerFirst(formatMoment(endedAt, time))}.` : null;
}

function deniedLede({ decision, time }: ApprovalView): string {
  return decision
    ? `Denied ${lowerFirst(formatMoment(decision.at, time))}. Nothing moved.`
    : "Denied. Nothing moved.";
}

function expiredLede({ createdAt, expiresAt, time }: ApprovalView): string {
  const hours = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / HOUR_MS);
  const closed = formatWeekdayMoment(expiresAt, time).replace(", ", " at ");
  return `A proposal stays open for ${hours}\u00a0hours. This one closed on ${closed} and counts as denied.`;
}

/** "Today" inside a sentence. */
function lowerFirst(moment: string): string {
  return moment.replace(/^Today/, "today");
}
