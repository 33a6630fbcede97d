import { formatDate, formatMoment, formatWeekdayMoment } from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalView } from "@/lib/contract/views/approval-view";

const HOUR_MS = 3_600_000;

/** Who decided: `You`, or their name. */
export function who(view: Pick<ApprovalView, "decision">): string {
  if (!view.decision) return "Sluice";
  return view.decision.byViewer ? "You" : view.decision.byName;
}

export function whoLet(view: Pick<ApprovalView, "decision">): string {
  return view.decision ? `${who(view)} let` : "Sluice let";
}

/** Why nothing is left to decide: what asked may ask no more. */
export function accessEnded({ asker }: Pick<ApprovalView, "asker">): string {
  return asker.kind === "ASSISTANT" ? "Its assistant was disconnected" : "Its key was revoked";
}

export function accessEndedLede({ asker }: Pick<ApprovalView, "asker">): string {
  const what =
    asker.kind === "ASSISTANT"
      ? "The assistant that asked for this was disconnected"
      : "The key that asked for this was revoked";
  return `${what} before anybody decided. It counts as denied. Nothing moved.`;
}

/** Why a key that need not ask does; null for those that always ask. On a phone the check itself is a screen further down. */
export function aboveCapLede({ checks }: Pick<ApprovalView, "checks">): string | null {
  const cap = checks.find((check) => check.kind === "DAILY_CAP");
  return cap
    ? `It waits because it was above the daily cap of ${cap.keyName}: ${formatCents(cap.capInCents)}.`
    : null;
}

type Under = Pick<
  ApprovalView,
  "settlesOver" | "expectedOn" | "time" | "endedAt" | "decision" | "createdAt" | "expiresAt"
>;

export function onItsWayLede({ settlesOver, expectedOn, time }: Under): string {
  const expectation =
    settlesOver === "BOOKS" ? "within a minute" : expectedOn && `on ${formatDate(expectedOn, time)}`;
  if (!expectation) return "It is on its way. You can close this page.";
  return `It is on its way and should settle ${expectation}. You can close this page.`;
}

export function endedLede({ endedAt, time }: Under, what: string): string | null {
  return endedAt ? `${what} ${lowerFirst(formatMoment(endedAt, time))}.` : null;
}

export function deniedLede({ decision, time }: Under): string {
  return decision
    ? `Denied ${lowerFirst(formatMoment(decision.at, time))}. Nothing moved.`
    : "Denied. Nothing moved.";
}

export function expiredLede({ createdAt, expiresAt, time }: Under): string {
  const hours = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / HOUR_MS);
  const closed = formatWeekdayMoment(expiresAt, time).replace(", ", " at ");
  return `A proposal stays open for ${hours}\u00a0hours. This one closed on ${closed} and counts as denied.`;
}

/** "Today" inside a sentence. */
function lowerFirst(moment: string): string {
  return moment.replace(/^Today/, "today");
}
