import { KEY_NAME } from "@/components/ui/text-styles";
import type { ProposalSubjectView, RequesterView } from "@/lib/contract/approvals/approval";

/** The two ends of a proposal, for the labels beside a drawn sluice. */
export function endsOf(subject: ProposalSubjectView): { from: string; to: string } {
  if (subject.kind === "TRANSFER") return { from: subject.sourceName, to: subject.destinationName };
  if (subject.kind === "BATCH") {
    const { sourceName, destinationName, destinationCount } = subject;
    return { from: sourceName, to: destinationName ?? `${destinationCount} accounts` };
  }
  return { from: subject.sourceName, to: destinationOf(subject) };
}

function destinationOf({
  ruleName,
  destinations: { count, firstName, arePods },
}: Extract<ProposalSubjectView, { kind: "RULE_RUN" }>): string {
  // Without planned moves, the rule's name is the best label.
  if (count === 0 || firstName === null) return ruleName;
  return count === 1 ? `${firstName} by rule` : `${count} ${arePods ? "pods" : "accounts"} by rule`;
}

export function kindWords(subject: Pick<ProposalSubjectView, "kind"> & { lineCount?: number }): string {
  if (subject.kind === "BATCH") return `Batch of ${subject.lineCount ?? ""}`.trim();
  return subject.kind === "TRANSFER" ? "Transfer" : "Rule run";
}

/** The requester, in a table row; people in plain type. Assistants are labeled: they choose their own names. */
export function RequesterName({ kind, name }: Pick<RequesterView, "kind" | "name">) {
  return (
    <>
      {kind === "ASSISTANT" ? "Assistant " : null}
      <span className={kind === "MEMBER" ? undefined : KEY_NAME}>{name}</span>
    </>
  );
}

/** The title of the inbox: "3 proposals need your decision". */
export function inboxTitle(waitingCount: number, canDecide: boolean): string {
  if (!canDecide) {
    if (waitingCount === 0) return "No proposals are waiting for approval";
    return waitingCount === 1
      ? "1 proposal is waiting for approval"
      : `${waitingCount} proposals are waiting for approval`;
  }
  if (waitingCount === 0) return "No proposals need your decision";
  return waitingCount === 1
    ? "1 proposal needs your decision"
    : `${waitingCount} proposals need your decision`;
}
