import type { Question } from "@/components/approvals/question";
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
import type { RunApprovalView } from "@/lib/contract/views/approval-view";

/** What the page asks or says of a run, by status. Heading and amount together read as one sentence. */
export function runQuestion(view: RunApprovalView): Question {
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
      return { before: whoLet(view), amountInCents, after: `through ${where}.`, lede: onItsWayLede(view) };
    case "SETTLED":
      if (amountInCents === null) {
        return {
          before: `${who(view)} let ${name} run. It moved nothing.`,
          amountInCents,
          after: "",
          lede: view.nothingBecause,
        };
      }
      return {
        before: whoLet(view),
        amountInCents,
        after: `through ${where}.`,
        lede: endedLede(view, "It settled"),
      };
    case "PARTIAL":
      return {
        before: "Only a part of",
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
      return { before: "Cancelled:", amountInCents, after: `stays in ${view.from.name}.`, lede: null };
    case "DENIED":
      return {
        before: `${who(view)} kept ${name} from running.`,
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
    case "EXPIRED":
      return {
        before: `Nobody decided about a run of ${name}, so nothing moved.`,
        amountInCents: null,
        after: "",
        lede: expiredLede(view),
      };
  }
}

/** Many at once are split; debts are paid; one is moved. */
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
  if (view.nothingBecause !== null) return `It would move nothing now. ${view.nothingBecause}`;
  return "It cannot be carried out as it stands; the checks say why.";
}
