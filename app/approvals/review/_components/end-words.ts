import { leftWords } from "@/app/approvals/_components/left-words";
import { checkSentence } from "@/components/parts/approvals/check-sentence";
import { endsOf } from "@/components/parts/approvals/proposal-words";
import { formatClock, formatInSentence } from "@/components/time/format-instant";
import type { ApprovalStatus, CheckView, ProposalSubjectView } from "@/lib/contract/approvals/approval";
import { formatCents } from "@/lib/contract/format-cents";
import type { TimeContext } from "@/lib/contract/time-context";
import type { DroppedStep, ReviewEnd } from "@/lib/views/approvals/read-review-end";

interface Question {
  before: string;
  /** Null: no amount is asked about. */
  amountInCents: number | null;
  after: string;
}

/** What the end of a review asks: `Approve 7 and deny 2: move $1,420.00 from Operating?` */
export function endQuestion(end: ReviewEnd): Question {
  const { approve, sign, deny, approvedInCents, deniedInCents, sourceNames, deniedSourceNames } = end;
  if (end.fits.length === 0 && deny.length === 0) {
    return { before: "Nothing to confirm", amountInCents: null, after: "" };
  }
  if (approve.length === 0 && sign.length > 0) {
    return { before: `${decisionsTitle(end)}?`, amountInCents: null, after: "" };
  }
  if (approve.length === 0) {
    const before = `Deny ${deny.length}:`;
    return { before, amountInCents: deniedInCents, after: `stays in ${placesWords(deniedSourceNames)}?` };
  }
  const what = decisionsTitle(end);
  if (approvedInCents === 0) return { before: `${what}?`, amountInCents: null, after: "" };
  return {
    before: `${what}: move`,
    amountInCents: approvedInCents,
    after: `from ${placesWords(sourceNames)}?`,
  };
}

/** `Approve 9, sign 2 and deny 1` */
export function decisionsTitle({
  approve,
  sign,
  deny,
}: Pick<ReviewEnd, "approve" | "sign" | "deny">): string {
  const acts = [
    ...(approve.length > 0 ? [`approve ${approve.length}`] : []),
    ...(sign.length > 0 ? [`sign ${sign.length}`] : []),
    ...(deny.length > 0 ? [`deny ${deny.length}`] : []),
  ];
  const last = acts.pop() ?? "confirm nothing";
  const words = acts.length === 0 ? last : `${acts.join(", ")} and ${last}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** `Operating`; `Operating and Payroll`; `3 accounts` */
export function placesWords(names: readonly string[]): string {
  const [first = "its account", second] = names;
  if (second === undefined) return first;
  return names.length === 2 ? `${first} and ${second}` : `${names.length} accounts`;
}

/** When what is approved moves. */
export function movesWords({ approvedInCents, laterInCents }: ReviewEnd): string {
  if (laterInCents === 0) return "Moves at once";
  return laterInCents === approvedInCents ? "Goes to the bank" : "Moves, some of it over the bank";
}

/** `Kiln Studio, $180.00` */
export function namedSubject(subject: ProposalSubjectView): string {
  const { to } = endsOf(subject);
  return subject.amountInCents === null ? to : `${to}, ${formatCents(subject.amountInCents)}`;
}

interface DroppedWords {
  /** After the name of the proposal. */
  title: string;
  text: string;
  result: string;
}

/** Why a proposal that was marked is not among what is confirmed. */
export function droppedWords(
  { cause, mark, markedAt, subject }: DroppedStep,
  time: TimeContext,
): DroppedWords {
  const marked = `You marked it to ${mark === "DENY" ? "deny" : "approve"} at ${formatClock(markedAt, time)}.`;
  switch (cause.kind) {
    case "OVER":
      return { ...overWords(cause, time), result: RESULT[cause.status] };
    case "CHANGED":
      return {
        title: "changed since you marked it",
        text: `${marked} ${cause.changes.join(" ")}`,
        result: STILL_WAITS,
      };
    case "BLOCKED":
      return {
        title: cause.isByItself ? "cannot be approved now" : "no longer fits after those above",
        text: `${marked} ${cause.checks.map((check) => blockingWords(check, subject, time)).join(" ")}`.trim(),
        result: STILL_WAITS,
      };
    case "RUN_DIFFERS":
      return {
        title: "would move other amounts after those above",
        text: `${cause.changes.join(" ")} Confirm the others, then decide it by itself.`,
        result: STILL_WAITS,
      };
    case "LEFT":
      return { title: "not now", text: leftWords(cause.result), result: STILL_WAITS };
  }
}

const STILL_WAITS = "Still waits";

function blockingWords(check: CheckView, subject: ProposalSubjectView, time: TimeContext): string {
  const setting =
    subject.kind === "TRANSFER"
      ? {
          kind: subject.kind,
          source: { name: subject.sourceName },
          destination: { name: subject.destinationName },
          time,
        }
      : { kind: "RULE_RUN" as const, time };
  const { title, keyName, text } = checkSentence(check, setting);
  return `${title}. ${keyName ?? ""}${text}`;
}

type Over = Extract<DroppedStep["cause"], { kind: "OVER" }>;

function overWords(
  { status, byName, byViewer, at }: Over,
  time: TimeContext,
): Pick<DroppedWords, "title" | "text"> {
  const when = formatInSentence(at, time);
  if (status === "EXPIRED") return { title: "expired", text: `It closed ${when} and counts as denied.` };
  if (status === "WITHDRAWN") return { title: "withdrawn", text: `The program took it back ${when}.` };
  if (status === "REVOKED")
    return { title: "access ended", text: `Its key or assistant was stopped ${when}.` };
  if (status === "RULE_CHANGED") {
    return { title: "ended with its version", text: `Its version of the rule stopped running ${when}.` };
  }
  const who = byViewer ? "You" : (byName ?? "Someone");
  return {
    title: "already decided",
    text: `${who} ${status === "DENIED" ? "denied" : "approved"} it ${when}.`,
  };
}

const RESULT: Record<ApprovalStatus, string> = {
  WAITING: STILL_WAITS,
  ON_ITS_WAY: "Approved",
  SETTLED: "Approved",
  PARTIAL: "Approved",
  FAILED: "Approved, failed",
  RETURNED: "Approved, returned",
  CANCELLED: "Canceled",
  DENIED: "Denied",
  EXPIRED: "Expired",
  REVOKED: "Ended",
  RULE_CHANGED: "Ended",
  WITHDRAWN: "Withdrawn",
};
