import {
  Bell,
  Check,
  CircleMinus,
  CodeXml,
  Loader,
  Mail,
  Paperclip,
  Smartphone,
  TimerOff,
  TriangleAlert,
  Undo2,
  User,
  X,
} from "lucide-react";
import type { ReactNode } from "react";
import { accessEnded, ruleChange } from "@/components/parts/approvals/question";
import {
  formatClock,
  formatDate,
  formatInSentence,
  formatMoment,
  formatWeekdayMoment,
} from "@/components/time/format-instant";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { Timeline, type TimelineItem } from "@/components/ui/timeline";
import type { ConfirmationMethod } from "@/lib/contract/approvals/approval";
import { returnWords } from "@/lib/contract/transfer";
import type { HistoryItemView } from "@/lib/views/approvals/build-history";
import type { ApprovalView } from "@/lib/views/approvals/get-approval";

/** One step of the history in words. */
interface HistorySentence {
  title: string;
  detail: string;
}

type ItemOf<Kind extends HistoryItemView["kind"]> = Extract<HistoryItemView, { kind: Kind }>;

const METHOD_WORDS: Record<ConfirmationMethod, string> = {
  PASSKEY: "with a passkey",
  PASSWORD: "with a password",
  RECOVERY_CODE: "with a recovery code",
  RECENT_SIGN_IN: "using a recent sign-in",
  TEST_PERSON: "by a program in this sandbox",
};

/** How a decision was confirmed. */
export function methodWords(method: ConfirmationMethod): string {
  return METHOD_WORDS[method];
}

/** One step in words. The day is shown only if it differs from the proposal's. */
export function historySentence(item: HistoryItemView, view: ApprovalView): HistorySentence {
  const { time } = view;
  switch (item.kind) {
    case "PROPOSED":
      return { title: "Proposed", detail: `${formatMoment(item.at, time)}, by ${proposedBy(item, view)}` };
    case "DOCUMENT":
      return {
        title: `Document added: ${item.name}`,
        detail: `${formatMoment(item.at, time)}, by ${item.byName}`,
      };
    case "NOTIFIED":
      return notified(item, view);
    case "WAITING":
      return { title: `Waiting for ${list(item.deciderNames, "or")}`, detail: waitingDetail(item, view) };
    case "SIGNED":
      return decided("Signed", item, view);
    case "APPROVED":
      return decided("Approved", item, view);
    case "DENIED":
      return decided("Denied", item, view);
    case "EXPIRED":
      return { title: "Expired without a decision", detail: formatWeekdayMoment(item.at, time) };
    case "REVOKED":
      return {
        title: `Denied: ${lowerFirst(accessEnded(view))}${item.byName ? ` by ${item.byName}` : ""}`,
        detail: formatMoment(item.at, time),
      };
    case "WITHDRAWN":
      return { title: `Withdrawn by ${item.byName}`, detail: formatMoment(item.at, time) };
    case "RULE_CHANGED":
      return { title: `Ended: ${ruleChange(item)}`, detail: formatMoment(item.at, time) };
    case "ON_ITS_WAY":
      return onItsWay(item, view);
    case "SETTLED":
      return { title: "Settled", detail: formatMoment(item.at, time) };
    case "PARTIAL":
      return { title: "Partly settled", detail: `${formatMoment(item.at, time)}, ${returnWords(item.code)}` };
    case "FAILED":
      return { title: "Failed", detail: `${formatMoment(item.at, time)}, ${returnWords(item.code)}` };
    case "RETURNED":
      return {
        title: "Returned by the bank",
        detail: `${formatMoment(item.at, time)}, ${returnWords(item.code)}`,
      };
    case "CANCELLED":
      return { title: `Canceled by ${item.byName}`, detail: formatMoment(item.at, time) };
    case "SETTLEMENT_AHEAD":
      return { title: "Settlement", detail: settlement(view, "Usually") };
  }
}

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function proposedBy({ byName }: ItemOf<"PROPOSED">, { requester }: ApprovalView): string {
  return requester.kind === "ASSISTANT" ? `the assistant ${byName}` : byName;
}

function notified(item: ItemOf<"NOTIFIED">, view: ApprovalView): HistorySentence {
  const by = CHANNEL_WORDS[item.channel];
  const title = `${item.isReminder ? `Reminder by ${by}` : upperFirst(by)} to ${list(item.recipients, "and")}`;
  const at = item.isReminder ? formatMoment(item.at, view.time) : formatClock(item.at, view.time);
  return { title, detail: `${at}, ${delivery(item)}` };
}

const CHANNEL_WORDS = { EMAIL: "email", SMS: "SMS", PUSH: "notification" } as const;

function upperFirst(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function delivery({ recipients, deliveredCount, failedCount }: ItemOf<"NOTIFIED">): string {
  if (failedCount > 0) return `${failedCount} could not be delivered`;
  if (deliveredCount < recipients.length) return "sent";
  if (deliveredCount === 1) return "delivered";
  return deliveredCount === 2 ? "both delivered" : `all ${deliveredCount} delivered`;
}

function waitingDetail({ deciderNames, signatures }: ItemOf<"WAITING">, view: ApprovalView): string {
  if (signatures !== undefined) {
    return signatures === 1 ? "One signature is missing" : `${signatures} signatures are missing`;
  }
  if (!view.viewer.canDecide) return `Until ${formatWeekdayMoment(view.expiresAt, view.time)}`;
  if (deciderNames.length === 1) return "Only you can decide";
  return deciderNames.length === 2 ? "Either of you can decide" : "Any of you can decide";
}

function decided(
  verb: string,
  item: ItemOf<"APPROVED" | "DENIED" | "SIGNED">,
  view: ApprovalView,
): HistorySentence {
  return {
    title: `${verb} by ${item.byViewer ? "you" : item.byName}`,
    detail: `${formatMoment(item.at, view.time)}, ${methodWords(item.method)}`,
  };
}

function onItsWay({ leavesAt, isUnanswered }: ItemOf<"ON_ITS_WAY">, view: ApprovalView): HistorySentence {
  if (isUnanswered) {
    return { title: "Sent to the bank", detail: "The bank has not answered yet. Sluice will keep asking." };
  }
  if (leavesAt === null || leavesAt <= view.time.nowAt) {
    return { title: "On its way", detail: settlement(view, "Settles") };
  }
  return {
    title: "Accepted",
    detail: `Goes to the bank ${formatInSentence(leavesAt, view.time)}. Until then it can be canceled.`,
  };
}

function settlement({ settlesOver, expectedOn, time }: ApprovalView, verb: "Settles" | "Usually"): string {
  if (settlesOver === "BOOKS")
    return verb === "Settles" ? "Settles in under a minute" : "Usually under a minute between pods";
  if (expectedOn) return `Expected ${formatDate(expectedOn, time)}, by ACH`;
  return "By ACH, on a banking day";
}

/** `Mara and Jonas`; `Mara, Jonas or Ines`. */
export function list(words: string[], conjunction: "and" | "or"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

/** The proposal's history, from proposal to settlement. */
export function History({ view }: { view: ApprovalView }) {
  const items: TimelineItem[] = view.history.map((item, index) => ({
    key: `${item.kind}-${index}`,
    icon: iconOf(item, view),
    state: stateOf(item),
    tone: toneOf(item),
    ...historySentence(item, view),
  }));
  return (
    <section aria-labelledby="history">
      <h2 className="text-base font-semibold" id="history">
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

function iconOf(item: HistoryItemView, { requester }: ApprovalView): ReactNode {
  switch (item.kind) {
    case "PROPOSED":
      return requester.kind === "MEMBER" ? <User /> : <CodeXml />;
    case "DOCUMENT":
      return <Paperclip />;
    case "NOTIFIED":
      if (item.isReminder) return <Bell />;
      return item.channel === "EMAIL" ? <Mail /> : <Smartphone />;
    case "WAITING":
      return <GateClosedIcon />;
    case "SIGNED":
      return <Check />;
    case "APPROVED":
      return <GateOpenIcon />;
    case "DENIED":
    case "REVOKED":
      return <X />;
    case "EXPIRED":
      return <TimerOff />;
    case "ON_ITS_WAY":
      return <Loader />;
    case "FAILED":
    case "PARTIAL":
      return <TriangleAlert />;
    case "RETURNED":
      return <Undo2 />;
    case "CANCELLED":
    case "RULE_CHANGED":
    case "WITHDRAWN":
      return <CircleMinus />;
    case "SETTLED":
    case "SETTLEMENT_AHEAD":
      return <Check />;
  }
}
