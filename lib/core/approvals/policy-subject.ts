import type { AccountType } from "@/lib/contract/account";
import type { PolicyRequesterKind } from "@/lib/contract/policies/policy";
import type { TransferDirection } from "@/lib/contract/transfer";
import type { ProposalFacts } from "@/lib/core/approvals/proposal-facts";
import type { RunSubject } from "@/lib/core/approvals/run-subject";
import type { TransferSubject } from "@/lib/core/approvals/transfer-subject";
import type { PaidPayee } from "@/lib/core/payees/read-paid-payees";
import type { PolicySubject } from "@/lib/core/policies/match-proposal";
import { movesOf } from "@/lib/engine/forecast/forecast-arrivals";

const REQUESTER_KIND: Record<ProposalFacts["proposedBy"]["kind"], PolicyRequesterKind> = {
  API_KEY: "API_KEY",
  ASSISTANT: "ASSISTANT",
  MEMBER: "MEMBER",
  HOOK: "RULE",
};

/** What of a proposal its policies depend on. */
export function policySubject(
  proposal: Pick<ProposalFacts, "id" | "createdAt" | "proposedBy" | "policyVersions" | "requesterMemberIds">,
  payees: readonly Pick<PaidPayee, "novelty">[],
  kind: PolicySubject["kind"],
  moves: PolicySubject["moves"],
): PolicySubject {
  const { id, createdAt, proposedBy, policyVersions, requesterMemberIds } = proposal;
  return {
    id,
    kind,
    createdAt,
    requester: {
      kind: REQUESTER_KIND[proposedBy.kind],
      id: proposedBy.id,
      memberIds: requesterMemberIds,
    },
    novelties: payees.map(({ novelty }) => novelty),
    moves,
    bornUnder: policyVersions.atBirth,
  };
}

/** One move. */
export function movesOfTransfer({
  source,
  destination,
  amountInCents,
  direction,
}: Pick<TransferSubject, "source" | "destination" | "amountInCents" | "direction">): PolicySubject["moves"] {
  return [{ sourceAccountId: source.id, destinationAccountId: destination.id, amountInCents, direction }];
}

/** What a run would move now, or moved. Without a plan nobody can approve it. */
export function movesOfRun({
  plan,
  accounts,
}: Pick<RunSubject, "plan" | "accounts">): PolicySubject["moves"] {
  return (plan ? movesOf(plan) : []).map(({ sourceAccountId, destinationAccountId, amountInCents }) => ({
    sourceAccountId,
    destinationAccountId,
    amountInCents,
    direction: directionBetween(accounts[sourceAccountId]?.type, accounts[destinationAccountId]?.type),
  }));
}

function directionBetween(
  source: AccountType | undefined,
  destination: AccountType | undefined,
): TransferDirection {
  if (source === "EXTERNAL_ACCOUNT") return "MONEY_IN";
  return destination === "EXTERNAL_ACCOUNT" ? "MONEY_OUT" : "INTERNAL";
}
