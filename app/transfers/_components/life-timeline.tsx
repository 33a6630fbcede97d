import {
  Check,
  CircleMinus,
  CodeXml,
  FlaskConical,
  Landmark,
  ListTree,
  Send,
  TimerOff,
  TriangleAlert,
  Undo2,
  X,
} from "lucide-react";
import type { ReactNode } from "react";
import { methodWords } from "@/components/parts/approvals/history";
import {
  formatDate,
  formatInSentence,
  formatMoment,
  formatWeekdayMoment,
} from "@/components/time/format-instant";
import { GateClosedIcon, GateOpenIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";
import { Timeline, type TimelineItem } from "@/components/ui/timeline";
import type { TimeContext } from "@/lib/contract/time-context";
import { returnWords } from "@/lib/contract/transfer";
import type { ForeseenView, MovementRequester } from "@/lib/views/movements/movement-rows";
import type { LifeStepView, TransferDetailView } from "@/lib/views/movements/read-transfer-detail";

/** A transfer's timeline, from request to current state. */
export function LifeTimeline({ view: { life, time } }: { view: TransferDetailView }) {
  const items: TimelineItem[] = life.map((step, index) => ({
    key: `${step.kind}-${index}`,
    state: stateOf(step, index === life.length - 1),
    tone: toneOf(step),
    icon: iconOf(step),
    ...wordsOf(step, time),
  }));
  return <Timeline items={items} />;
}

const UNDER_WAY: ReadonlySet<LifeStepView["kind"]> = new Set(["LEAVES", "UNANSWERED", "AT_THE_BANK"]);
const BAD: ReadonlySet<LifeStepView["kind"]> = new Set(["DENIED", "REVOKED", "FAILED", "RETURNED"]);

function toneOf(step: LifeStepView): TimelineItem["tone"] {
  const { kind } = step;
  if (kind === "FORESEEN" && step.outcome === "FAILS") return "bad";
  if (BAD.has(kind)) return "bad";
  return kind === "SETTLED" ? "good" : undefined;
}

function stateOf({ kind }: LifeStepView, isLast: boolean): TimelineItem["state"] {
  if (kind === "WAITING") return "waiting";
  return isLast && UNDER_WAY.has(kind) ? "underway" : "done";
}

function iconOf(step: LifeStepView): ReactNode {
  switch (step.kind) {
    case "PROPOSED":
      return step.isDryRun ? <FlaskConical /> : <CodeXml />;
    case "MADE_BY_RULE":
      return step.isDryRun ? <FlaskConical /> : <ListTree />;
    case "ANNOUNCED":
      return <Landmark />;
    case "WAITING":
      return <GateClosedIcon />;
    case "APPROVED":
      return <GateOpenIcon />;
    case "DENIED":
    case "REVOKED":
      return <X />;
    case "EXPIRED":
      return <TimerOff />;
    case "LEAVES":
    case "UNANSWERED":
    case "AT_THE_BANK":
      return <Send />;
    case "SETTLED":
      return <Check />;
    case "FAILED":
      return <TriangleAlert />;
    case "RETURNED":
      return <Undo2 />;
    case "CANCELLED":
    case "WITHDRAWN":
      return <CircleMinus />;
    case "FORESEEN":
      return foreseenIcon(step);
  }
}

interface StepWords {
  title: string;
  detail: ReactNode;
}

function wordsOf(step: LifeStepView, time: TimeContext): StepWords {
  switch (step.kind) {
    case "PROPOSED":
      return { title: proposedTitle(step.by, step.isDryRun), detail: formatMoment(step.at, time) };
    case "MADE_BY_RULE":
      return {
        title: step.isDryRun ? `Dry run of the rule ${step.ruleName}` : `Moved by the rule ${step.ruleName}`,
        detail: formatMoment(step.at, time),
      };
    case "FORESEEN":
      return {
        title: foreseenTitle(step),
        detail: step.outcome === "GOES_THROUGH" ? "Using balances at that time" : step.sentence,
      };
    case "ANNOUNCED":
      return {
        title: `${step.isCheck ? "Check" : "Deposit"}${step.payerName === null ? "" : ` from ${step.payerName}`}`,
        detail: `${formatMoment(step.at, time)}, reported by the bank`,
      };
    case "WAITING":
      return { title: "Waiting for approval", detail: `Until ${formatWeekdayMoment(step.until, time)}` };
    case "APPROVED":
    case "DENIED":
      return decidedWords(step, time);
    case "EXPIRED":
      return { title: "Expired without a decision", detail: formatMoment(step.at, time) };
    case "REVOKED":
      return { title: "Denied: the requester lost access", detail: formatMoment(step.at, time) };
    case "WITHDRAWN":
      return { title: "Withdrawn by its requester", detail: formatMoment(step.at, time) };
    case "LEAVES":
      return leavesWords(step, time);
    case "UNANSWERED":
      return {
        title: "Sent to the bank",
        detail: "The bank has not answered yet. Sluice keeps asking and holds the money.",
      };
    case "AT_THE_BANK":
      return {
        title: "Submitted to the bank",
        detail: `${step.isApprovedThere ? "A person approves it there too. " : ""}${
          step.expectedOn === null ? "By ACH" : `Expected ${formatDate(step.expectedOn, time)}, by ACH`
        }`,
      };
    case "SETTLED":
      return { title: "Settled", detail: formatMoment(step.at, time) };
    case "FAILED":
      return { title: "Failed", detail: `${formatMoment(step.at, time)}. ${step.sentence}` };
    case "RETURNED":
      return {
        title: "Returned by the bank",
        detail: [formatMoment(step.at, time), step.code && returnWords(step.code)].filter(Boolean).join(". "),
      };
    case "CANCELLED":
      return {
        title: step.byName === null ? "Canceled" : `Canceled by ${step.byName}`,
        detail: formatMoment(step.at, time),
      };
  }
}

const FORESEEN_TITLE: Record<ForeseenView["outcome"], string> = {
  GOES_THROUGH: "Live, it would succeed",
  FAILS: "Live, it would fail",
  WAITS_FOR_APPROVAL: "Live, it would wait for approval",
};

export function foreseenTitle({ outcome }: ForeseenView): string {
  return FORESEEN_TITLE[outcome];
}

function foreseenIcon({ outcome }: ForeseenView): ReactNode {
  if (outcome === "FAILS") return <TriangleAlert />;
  return outcome === "GOES_THROUGH" ? <Check /> : <GateClosedIcon />;
}

/** What happened, without the time. */
export function lifeTitle(step: LifeStepView): string {
  return wordsOf(step, NO_TIME).title;
}

const NO_TIME: TimeContext = { nowAt: "1970-01-01T00:00:00Z", timeZone: "UTC", locale: "en-US" };

function proposedTitle({ kind, name }: MovementRequester, isDryRun: boolean): string {
  const who = kind === "ASSISTANT" ? `the assistant ${name}` : name;
  if (isDryRun) return `Dry run by ${who}`;
  return kind === "MEMBER" ? `Requested by ${who}` : `Proposed by ${who}`;
}

function decidedWords(
  step: Extract<LifeStepView, { kind: "APPROVED" | "DENIED" }>,
  time: TimeContext,
): StepWords {
  const by = step.byViewer ? "you" : step.byName;
  const how = [formatMoment(step.at, time), step.method && methodWords(step.method)]
    .filter(Boolean)
    .join(", ");
  return {
    title: `${step.kind === "APPROVED" ? "Approved" : "Denied"} by ${by}`,
    detail: step.note === null ? how : `${how}. “${step.note}”`,
  };
}

function leavesWords(
  { at, waitsFor }: Extract<LifeStepView, { kind: "LEAVES" }>,
  time: TimeContext,
): StepWords {
  if (at === null || at <= time.nowAt) {
    if (!waitsFor) return { title: "On its way", detail: "Shortly" };
    const pod = (
      <Link href={waitsFor.podHref}>
        <bdi>{waitsFor.podName}</bdi>
      </Link>
    );
    return {
      title: "Waiting for money at the bank",
      detail: waitsFor.isStuck ? (
        <>
          The bank has not moved money out of the own account of {pod} yet, and this payment leaves after
          that. Sluice keeps asking; the pod’s page says more.
        </>
      ) : (
        <>Money of {pod} returns to the account that payments leave from first.</>
      ),
    };
  }
  return { title: "Accepted", detail: `Goes to the bank ${formatInSentence(at, time)}` };
}
