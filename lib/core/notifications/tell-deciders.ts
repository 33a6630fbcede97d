import { approvableMoves } from "@/lib/core/approvals/approvable-moves";
import {
  type ApprovalFacts,
  type RunApprovalFacts,
  readApprovalFacts,
} from "@/lib/core/approvals/approval-facts";
import { readAskerRecord } from "@/lib/core/approvals/read-asker-record";
import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import { queueMessages } from "@/lib/core/notifications/queue-messages";
import { renderApprovalAsked } from "@/lib/core/notifications/render/approval-asked";
import { renderApprovalDecided } from "@/lib/core/notifications/render/approval-decided";
import { renderApprovalReminder } from "@/lib/core/notifications/render/approval-reminder";
import {
  MAX_LISTED_PROPOSALS,
  renderApprovalsWaiting,
} from "@/lib/core/notifications/render/approvals-waiting";
import type { MessageSetting } from "@/lib/core/notifications/render/message";
import type { ProposedMove, WaitingProposal } from "@/lib/core/notifications/render/proposal";
import { approvalUrl } from "@/lib/core/transfers/transfer-row";
import type { Queryable } from "@/lib/platform/db/transaction";

/** Where messages are written and what all of them have in common. */
export interface Telling {
  client: Queryable;
  appUrl: string;
  isSandboxBank: boolean;
}

/** One proposal to every decider. Says nothing when it was decided or closed meanwhile. */
export async function tellProposal(telling: Telling, notice: DueNotice): Promise<void> {
  const facts = await readApprovalFacts(telling.client, notice.organizationId, notice.proposalId, notice.now);
  if (!facts || !isWaiting(facts, notice)) return;
  const record = await readAskerRecord(telling.client, notice.organizationId, facts);
  const proposal: WaitingProposal = {
    move: toMove(facts),
    askedBy: facts.proposedBy.name,
    trackRecord:
      record.decidedCount > 0 ? { approved: record.approvedCount, decided: record.decidedCount } : null,
    reason: facts.reason,
    ifApproved: null,
    expiresAt: facts.expiresAt,
    approvalUrl: approvalUrl(telling.appUrl, facts.id),
  };
  const render = notice.kind === "APPROVAL_REMINDER" ? renderApprovalReminder : renderApprovalAsked;
  await queueMessages(telling.client, notice, {
    kind: notice.kind,
    proposalIds: [facts.id],
    exceptUserId: null,
    ...render(proposal, settingOf(telling, notice)),
  });
}

/** Several proposals of one key in one message, those that still wait. */
export async function tellTogether(telling: Telling, notices: readonly DueNotice[]): Promise<void> {
  const first = notices[0];
  if (!first) return;
  const waiting: ApprovalFacts[] = [];
  for (const notice of notices) {
    const facts = await readApprovalFacts(
      telling.client,
      notice.organizationId,
      notice.proposalId,
      notice.now,
    );
    if (facts && isWaiting(facts, notice)) waiting.push(facts);
  }
  const soonest = waiting.toSorted((left, right) => left.expiresAt.getTime() - right.expiresAt.getTime());
  if (!soonest[0]) return;
  const rendered = renderApprovalsWaiting(
    {
      askedBy: soonest[0].proposedBy.name,
      waitingCount: soonest.length,
      proposals: soonest
        .slice(0, MAX_LISTED_PROPOSALS)
        .map((facts) => ({ move: toMove(facts), expiresAt: facts.expiresAt })),
      approvalsUrl: `${telling.appUrl}/approvals`,
    },
    settingOf(telling, first),
  );
  await queueMessages(telling.client, first, {
    kind: "APPROVAL_ASKED",
    proposalIds: soonest.map((facts) => facts.id),
    exceptUserId: null,
    ...rendered,
  });
}

/** To the deciders who were asked too: there is nothing left to do. */
export async function tellDecided(telling: Telling, notice: DueNotice): Promise<void> {
  const facts = await readApprovalFacts(telling.client, notice.organizationId, notice.proposalId, notice.now);
  const decision = facts?.decision;
  if (!facts || !decision || (facts.state !== "APPROVED" && facts.state !== "DENIED")) return;
  const { email } = renderApprovalDecided(
    {
      move: toMove(facts),
      askedBy: facts.proposedBy.name,
      decision: facts.state,
      decidedBy: decision.byName ?? "A former member",
      decidedAt: decision.at,
      denialReason: decision.note,
      approvalUrl: approvalUrl(telling.appUrl, facts.id),
    },
    settingOf(telling, notice),
  );
  await queueMessages(telling.client, notice, {
    kind: notice.kind,
    proposalIds: [facts.id],
    exceptUserId: decision.byId,
    email,
    sms: null,
  });
}

function isWaiting(facts: ApprovalFacts, notice: DueNotice): boolean {
  return facts.state === "WAITING" && facts.expiresAt > notice.now;
}

function toMove(facts: ApprovalFacts): ProposedMove {
  if (facts.kind === "RULE_RUN") return toRun(facts);
  return {
    kind: "TRANSFER",
    amountInCents: facts.amountInCents,
    sourceName: facts.source.name,
    destinationName: facts.destination.name,
    sourceBalanceInCents: facts.source.balanceInCents,
    destinationBalanceInCents: facts.destination.balanceInCents,
  };
}

/** As it stands now: what a run would move may be another amount when somebody opens its page. */
function toRun({ rule, definition, plan, accounts }: RunApprovalFacts): ProposedMove {
  const moves = approvableMoves(plan) ?? [];
  const sources = [...new Set(moves.map((move) => move.sourceAccountId))];
  const sourceId = sources.length === 1 ? sources[0] : definition?.trigger.accountId;
  return {
    kind: "RULE_RUN",
    ruleName: rule.name,
    amountInCents: moves.length > 0 ? moves.reduce((sum, move) => sum + move.amountInCents, 0) : null,
    sourceName: accounts[sourceId ?? ""]?.name ?? "",
    transferCount: moves.length,
  };
}

function settingOf(telling: Telling, notice: DueNotice): MessageSetting {
  return {
    organizationName: notice.organizationName,
    timeZone: notice.timeZone,
    isSandboxBank: telling.isSandboxBank,
  };
}
