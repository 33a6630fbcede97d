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
