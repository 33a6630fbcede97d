import {
  formatAfterWord,
  formatClock,
  formatDate,
  formatDeadlineInSentence,
  formatInSentence,
} from "@/components/time/format-instant";
import { formatCents } from "@/lib/contract/format-cents";
import type { ApprovalView, RunApprovalView, TransferApprovalView } from "@/lib/views/approvals/get-approval";
import { FORMER_MEMBER } from "@/lib/words/names";

const HOUR_MS = 3_600_000;

/** Who decided: `You`, or their name. */
function who(view: Pick<ApprovalView, "decision">): string {
  if (!view.decision) return "Sluice";
  return view.decision.byViewer ? "You" : view.decision.byName;
}

function whoApproved(view: Pick<ApprovalView, "decision">): string {
  return `${who(view)} approved`;
}

/** Why no decision is needed: the requester lost access. */
export function accessEnded({ requester }: Pick<ApprovalView, "requester">): string {
  return requester.kind === "ASSISTANT" ? "Assistant disconnected" : "Key revoked";
}

/** `Mara activated version 5`, or `Mara deactivated the rule`. */
export function ruleChange({ byName, version }: { byName: string | null; version: number | null }): string {
  const who = byName ?? FORMER_MEMBER;
  return version === null ? `${who} deactivated the rule` : `${who} activated version ${version}`;
}

function accessEndedLede({ requester }: Pick<ApprovalView, "requester">): string {
  const what =
    requester.kind === "ASSISTANT"
      ? "The assistant that requested this was disconnected"
      : "The key that requested this was revoked";
  return `${what} before a decision, so this counts as denied. Nothing moved.`;
}

/** Why a key with a daily cap needs approval; null for others. On a phone, the check itself is a screen below. */
function aboveCapLede({ checks }: Pick<ApprovalView, "checks">): string | null {
  const cap = checks.find((check) => check.kind === "DAILY_CAP");
  return cap
    ? `Needs approval because it is above the daily cap of ${cap.keyName}, ${formatCents(cap.capInCents)}.`
    : null;
}

type Under = Pick<
  ApprovalView,
  "settlesOver" | "expectedOn" | "time" | "endedAt" | "decision" | "createdAt" | "expiresAt"
>;

function onItsWayLede({ settlesOver, expectedOn, time }: Under): string {
  const expectation =
    settlesOver === "BOOKS" ? "within a minute" : expectedOn && `on ${formatDate(expectedOn, time)}`;
  if (!expectation) return "On its way. You can close this page.";
  return `On its way; should settle ${expectation}. You can close this page.`;
}

function endedLede({ endedAt, time }: Under, what: string): string | null {
  return endedAt ? `${what} ${formatAfterWord(endedAt, time)}.` : null;
}

function deniedLede({ decision, time }: Under): string {
  return decision ? `Denied ${formatAfterWord(decision.at, time)}. Nothing moved.` : "Denied. Nothing moved.";
}

function expiredLede({ createdAt, expiresAt, time }: Under): string {
  const hours = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / HOUR_MS);
  const closed = formatDeadlineInSentence(expiresAt, time);
  return `Proposals stay open for ${hours}\u00a0hours. This one expired ${closed} and counts as denied.`;
}

/** The heading of the page, split around its amount, and the sentence below it. */
interface Question {
  before: string;
  /** Null when the heading has no amount. */
  amountInCents: number | null;
  after: string;
  lede: string | null;
}

/** The page's question or outcome. Heading and amount read as one sentence. */
export function questionOf(view: ApprovalView): Question {
  if (view.kind === "RULE_RUN") return runQuestion(view);
  return { ...transferQuestion(view), amountInCents: view.amountInCents };
}

/** What is decided, for buttons and dialogs: `$52.74 from Operating to Profit`. */
export function decidedWords(view: ApprovalView): string {
  if (view.kind === "TRANSFER") {
    return `${formatCents(view.amountInCents)} from ${view.source.name} to ${view.destination.name}`;
  }
  return view.amountInCents
    ? `${formatCents(view.amountInCents)} ${whereTo(view)}`
    : `a run of ${view.rule.name}`;
}

function transferQuestion(view: TransferApprovalView): Omit<Question, "amountInCents"> {
  const from = view.source.name;
  const to = view.destination.name;
  switch (view.status) {
    case "WAITING":
      return {
        before: "Move",
        after: `${view.reverses ? "back " : ""}from ${from} to ${to}?`,
        lede: aboveCapLede(view),
      };
    case "ON_ITS_WAY":
      return { before: whoApproved(view), after: `to ${to}.`, lede: onItsWayLede(view) };
    case "SETTLED":
    case "PARTIAL":
      return { before: whoApproved(view), after: `to ${to}.`, lede: endedLede(view, "It settled") };
    case "DENIED":
      return { before: `${who(view)} denied`, after: `to ${to}.`, lede: deniedLede(view) };
    case "REVOKED":
      return {
        before: `${accessEnded(view)}:`,
        after: `stays in ${from}.`,
        lede: accessEndedLede(view),
      };
    case "WITHDRAWN":
      return { before: "Withdrawn:", after: `stays in ${from}.`, lede: withdrawnLede(view) };
    // Only runs end with their rule.
    case "RULE_CHANGED":
    case "EXPIRED":
      return {
        before: "Expired:",
        after: `stays in ${from}.`,
        lede: expiredLede(view),
      };
    case "FAILED":
      return {
        before: "We could not move",
        after: `from ${from} to ${to}.`,
        lede: view.error?.sentence ?? null,
      };
    case "RETURNED":
      return { before: "The bank returned", after: `to ${from}.`, lede: view.error?.sentence ?? null };
    case "CANCELLED":
      return {
        before: "Canceled:",
        after: `stays in ${from}.`,
        lede: endedLede(view, "Canceled before it left,"),
      };
  }
}

/** Two short lines above the drawn gate. */
export function gateLabelOf(view: ApprovalView): [string, string] {
  const clock = view.decision ? formatClock(view.decision.at, view.time) : null;
  switch (view.status) {
    case "WAITING":
      if (view.signing) {
        const { neededCount, givenCount } = view.signing;
        return [
          "Closed until",
          `${Math.max(1, neededCount - givenCount)} more ${neededCount - givenCount > 1 ? "sign" : "signs"}`,
        ];
      }
      return ["Closed until", view.viewer.canDecide ? "you approve" : "approved"];
    case "ON_ITS_WAY":
      return ["Open", clock ? `since ${clock}` : "and flowing"];
    case "SETTLED":
    case "PARTIAL":
      return ["Through,", "settled"];
    case "DENIED":
      return ["Denied", clock ? `at ${clock}` : "by a member"];
    case "REVOKED":
      return ["Closed,", view.requester.kind === "ASSISTANT" ? "disconnected" : "key revoked"];
    case "WITHDRAWN":
      return ["Closed,", "withdrawn"];
    case "RULE_CHANGED":
    case "EXPIRED":
      return ["Stayed", "closed"];
    case "FAILED":
      return ["Closed,", "it failed"];
    case "RETURNED":
      return ["Returned", "by the bank"];
    case "CANCELLED":
      return ["Closed,", "canceled"];
  }
}

/** The same for a run. */
function runQuestion(view: RunApprovalView): Question {
  const amountInCents = view.amountInCents || null;
  const where = whereTo(view);
  const { name } = view.rule;
  switch (view.status) {
    case "WAITING":
      if (amountInCents === null) {
        return { before: `Run ${name}?`, amountInCents, after: "", lede: nothingLede(view) };
      }
      return { before: verbOf(view), amountInCents, after: `${where}?`, lede: aboveCapLede(view) };
    case "ON_ITS_WAY":
      return { before: whoApproved(view), amountInCents, after: `${where}.`, lede: onItsWayLede(view) };
    case "SETTLED":
      if (amountInCents === null) {
        return {
          before: `${who(view)} approved a run of ${name}. It moved nothing.`,
          amountInCents,
          after: "",
          lede: view.nothingBecause,
        };
      }
      return {
        before: whoApproved(view),
        amountInCents,
        after: `${where}.`,
        lede: endedLede(view, "It settled"),
      };
    case "PARTIAL":
      return {
        before: "Only part of",
        amountInCents,
        after: `moved ${where}.`,
        lede: view.error?.sentence ?? null,
      };
    case "FAILED":
    case "RETURNED":
      return {
        before: "We could not move",
        amountInCents,
        after: `${where}.`,
        lede: view.error?.sentence ?? null,
      };
    case "CANCELLED":
      return { before: "Canceled:", amountInCents, after: `stays in ${view.from.name}.`, lede: null };
    case "DENIED":
      return {
        before: `${who(view)} denied a run of ${name}.`,
        amountInCents: null,
        after: "",
        lede: deniedLede(view),
      };
    case "REVOKED":
      return {
        before: `${accessEnded(view)}: ${name} did not run.`,
        amountInCents: null,
        after: "",
        lede: accessEndedLede(view),
      };
    case "WITHDRAWN":
      return {
        before: `Withdrawn: ${name} did not run.`,
        amountInCents: null,
        after: "",
        lede: withdrawnLede(view),
      };
    case "RULE_CHANGED":
      return {
        before: `Version ${view.rule.version} no longer runs: ${name} did not run.`,
        amountInCents: null,
        after: "",
        lede: ruleChangedLede(view),
      };
    case "EXPIRED":
      return {
        before: `Expired: ${name} did not run.`,
        amountInCents: null,
        after: "",
        lede: expiredLede(view),
      };
  }
}

function withdrawnLede({ requester, history, time }: ApprovalView): string {
  const end = history.find((item) => item.kind === "WITHDRAWN");
  const when = end ? ` ${formatInSentence(end.at, time)}` : "";
  const who = requester.kind === "ASSISTANT" ? `The assistant ${requester.name}` : requester.name;
  return `${who} took it back${when}, before a decision. Nothing moved.`;
}

function ruleChangedLede({ history, time }: RunApprovalView): string {
  const end = history.find((item) => item.kind === "RULE_CHANGED");
  const when = end ? ` ${formatInSentence(end.at, time)}, when ${ruleChange(end)}` : "";
  return `It ended${when}. Nobody had decided, so it counts as denied. Nothing moved.`;
}

/** Payments to debts are paid, one source to several accounts is split, everything else is moved. */
function verbOf(view: RunApprovalView): string {
  const ends = endsOfRun(view);
  if (view.balances.filter((row) => row.changeInCents > 0).every((row) => row.kind === "LIABILITY"))
    return "Pay";
  return ends.destinations.length > 1 && ends.sources.length === 1 ? "Split" : "Move";
}

/** `from Client payments into 5 pods`; `from Operating to Taxes`; `between 4 accounts`. */
function whereTo(view: RunApprovalView): string {
  const { sources, destinations } = endsOfRun(view);
  if (sources.length > 1) return `between ${new Set([...sources, ...destinations]).size} accounts`;
  const from = `from ${sources[0] ?? view.from.name}`;
  if (destinations.length === 1) return `${from} to ${destinations[0]}`;
  const rows = view.drawing ? Object.values(view.drawing.names) : [];
  const arePods = destinations.every((name) => rows.some((row) => row.name === name && row.kind === "POD"));
  return `${from} into ${destinations.length} ${arePods ? "pods" : "accounts"}`;
}

function endsOfRun({ moves }: RunApprovalView): { sources: string[]; destinations: string[] } {
  const moving = moves.filter((move) => move.outcome !== "SKIPPED");
  return {
    sources: [...new Set(moving.map((move) => move.sourceName))],
    destinations: [...new Set(moving.map((move) => move.destinationName))],
  };
}

function nothingLede(view: RunApprovalView): string {
  if (view.nothingBecause !== null) return `Nothing would move now. ${view.nothingBecause}`;
  return "It can’t run right now; the checks below say why.";
}
