import type { AskerView } from "@/lib/contract/views/approval-view";
import type { ProposalSubjectView } from "@/lib/contract/views/proposal-subject-view";

/** The two ends of what a proposal moves, as they stand beside a drawn sluice. */
export function endsOf(subject: ProposalSubjectView): { from: string; to: string } {
  if (subject.kind === "TRANSFER") return { from: subject.sourceName, to: subject.destinationName };
  return { from: subject.sourceName, to: destinationOf(subject) };
}

function destinationOf({
  ruleName,
  destinations: { count, firstName, arePods },
}: Extract<ProposalSubjectView, { kind: "RULE_RUN" }>): string {
  // Nothing is worked out, or nothing moves: then its name says most.
  if (count === 0 || firstName === null) return ruleName;
  return count === 1 ? `${firstName} by rule` : `${count} ${arePods ? "pods" : "accounts"} by rule`;
}

/** What kind of proposal it is. */
export function kindWords({ kind }: Pick<ProposalSubjectView, "kind">): string {
  return kind === "TRANSFER" ? "Transfer" : "Rule run";
}

/** Who asks, in a row. An assistant is called one: it chose its name itself, and might choose a member's. */
export function AskerName({ kind, name }: Pick<AskerView, "kind" | "name">) {
  return (
    <>
      {kind === "ASSISTANT" ? "Assistant " : null}
      <span className="key">{name}</span>
    </>
  );
}

const WORDS = ["Nothing", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

/** The title of the inbox as a statement: "Three proposals wait for you". */
export function inboxTitle(waitingCount: number, canDecide: boolean): string {
  const forWhom = canDecide ? "for you" : "for approval";
  if (waitingCount === 0) return `Nothing waits ${forWhom}`;
  if (waitingCount === 1) return `One proposal waits ${forWhom}`;
  return `${WORDS[waitingCount] ?? waitingCount} proposals wait ${forWhom}`;
}
