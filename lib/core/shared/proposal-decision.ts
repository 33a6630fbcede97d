import type { DenialReasonKind, ProposalDecision } from "@/lib/contract/approvals/denial";

/** Of a proposal, as PostgreSQL writes it in JSON; null: none, or it waits. */
export interface DecisionRow {
  outcome: ProposalDecision["outcome"];
  decidedAt: string;
  kind: DenialReasonKind | null;
  text: string | null;
  askAgainAfter: string | null;
  byTestPerson: boolean;
}

/**
 * SQL: the decision about the proposal of the transfer or run `of`, as a `DecisionRow`. A run that ended with its version
 * ended with the access to it.
 */
export const decisionOf = (of: "t" | "e") => `(
  select json_build_object('outcome', case p.state when 'RULE_CHANGED' then 'REVOKED' else p.state end,
      'decidedAt', p.decided_at, 'kind', p.denial_reason, 'text', p.denial_text, 'askAgainAfter', p.ask_again_after,
      'byTestPerson', coalesce(p.decision_method = 'TEST_PERSON', false))
    from proposals p where p.organization_id = ${of}.organization_id and p.id = ${of}.id and p.state <> 'WAITING')`;

/** The test person of a sandbox is a program that decides with a member's rights: that member decided nothing. */
const TEST_PERSON_ID = "00000000-0000-4000-8000-000000000000";
const TEST_PERSON_NAME = "Test person";

/** SQL: who decided the proposal `p`; null: nobody. */
export const DECIDER_ID = `case when p.decision_method = 'TEST_PERSON' then '${TEST_PERSON_ID}'::uuid else p.decided_by end`;

/** SQL: the name of who decided the proposal `of`, whose user is `user`. */
export const deciderName = (user: "u" | "decider" | "approver", of: "p" | "approval" = "p") =>
  `case when ${of}.decision_method = 'TEST_PERSON' then '${TEST_PERSON_NAME}' else ${user}.name end`;

export function toDecision(row: DecisionRow | null): ProposalDecision | null {
  if (row === null) return null;
  const { outcome, kind, text } = row;
  return {
    outcome,
    decidedAt: new Date(row.decidedAt).toISOString(),
    reason: kind === null ? null : { kind, text },
    askAgainAfter: row.askAgainAfter === null ? null : new Date(row.askAgainAfter).toISOString(),
    byTestPerson: row.byTestPerson,
  };
}
