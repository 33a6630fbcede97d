import type { ApprovalStatus, ConfirmationMethod } from "@/lib/contract/approvals/approval";
import type { PersonView } from "@/lib/contract/members";
import type { MessageChannel } from "@/lib/contract/notifications";
import type { ApprovalFacts } from "@/lib/core/approvals/approval-facts";
import type { Signing } from "@/lib/core/approvals/signing";
import type { Queryable } from "@/lib/db/transaction";
import { FORMER_MEMBER } from "@/lib/words/names";

/** What happened, is happening and will happen to the proposal, in order of time. */
export type HistoryItemView =
  | { kind: "PROPOSED"; at: string; byName: string }
  | { kind: "DOCUMENT"; at: string; byName: string; name: string }
  | {
      kind: "NOTIFIED";
      at: string;
      channel: MessageChannel;
      isReminder: boolean;
      /** First names for email, masked numbers (`••31`) for SMS, `Mara (Safari on iPhone)` for devices. */
      recipients: string[];
      deliveredCount: number;
      failedCount: number;
    }
  /** `signatures`: how many are missing, by a policy; unset: one person decides. */
  | { kind: "WAITING"; deciderNames: string[]; signatures?: number }
  | { kind: "SIGNED"; at: string; byName: string; byViewer: boolean; method: ConfirmationMethod }
  | { kind: "APPROVED" | "DENIED"; at: string; byName: string; byViewer: boolean; method: ConfirmationMethod }
  | { kind: "EXPIRED"; at: string }
  /** The key was revoked, or the assistant disconnected, so nothing is left to decide. */
  | { kind: "REVOKED"; at: string; byName: string | null }
  /** By the program that requested it. */
  | { kind: "WITHDRAWN"; at: string; byName: string }
  /** `version`: the one that was activated; null: the rule was deactivated. */
  | { kind: "RULE_CHANGED"; at: string; byName: string | null; version: number | null }
  /** `leavesAt`: when it goes to the bank. `isUnanswered`: it was sent, and the bank's answer is not known yet. */
  | { kind: "ON_ITS_WAY"; at: string; leavesAt: string | null; isUnanswered: boolean }
  | { kind: "SETTLED"; at: string }
  | { kind: "FAILED" | "RETURNED" | "PARTIAL"; at: string; code: string }
  | { kind: "CANCELLED"; at: string; byName: string }
  | { kind: "SETTLEMENT_AHEAD" };

/** What happened to a proposal, what is happening, and what will, in order of time. Pure. */
export function buildHistory(input: {
  facts: ApprovalFacts;
  /** Null without a policy. */
  signing: Signing | null;
  status: ApprovalStatus;
  notified: readonly NotifiedWave[];
  deciders: readonly PersonView[];
  viewerId: string;
}): HistoryItemView[] {
  const { facts, status } = input;
  const proposed: HistoryItemView = {
    kind: "PROPOSED",
    at: facts.createdAt.toISOString(),
    byName: facts.proposedBy.name,
  };
  const reported = [
    ...input.notified.filter((wave) => wave.kind !== "APPROVAL_DECIDED").map(toItem),
    ...signed(input.signing, input.viewerId),
  ].toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
  const reportedAfter = input.notified.filter((wave) => wave.kind === "APPROVAL_DECIDED").map(toItem);
  const before = withDocuments([proposed, ...reported], facts);
  if (status === "WAITING") {
    return [
      ...before,
      { kind: "WAITING", ...waitsFor(input.signing, input.deciders) },
      { kind: "SETTLEMENT_AHEAD" },
    ];
  }
  return [...before, ...decided(facts, status, input.viewerId), ...reportedAfter, ...ended(facts, status)];
}

/** Documents came before the decision, among the messages about the proposal. */
function withDocuments(items: HistoryItemView[], facts: ApprovalFacts): HistoryItemView[] {
  if (facts.kind !== "TRANSFER" || facts.documents.length === 0) return items;
  const added = facts.documents.map(
    ({ addedAt: at, addedByName: byName, name }): HistoryItemView => ({ kind: "DOCUMENT", at, byName, name }),
  );
  const atOf = (item: HistoryItemView) => ("at" in item ? item.at : "");
  // Stable: the proposal stays first in its millisecond.
  return [...items, ...added].sort((one, other) => atOf(one).localeCompare(atOf(other)));
}

function signed(signing: Signing | null, viewerId: string) {
  return (signing?.valid ?? []).map(({ at, memberId, memberName, method }) => ({
    kind: "SIGNED" as const,
    at: at.toISOString(),
    byName: memberName,
    byViewer: memberId === viewerId,
    method,
  }));
}

/** Under a policy those who may sign now; otherwise everyone who decides. */
function waitsFor(signing: Signing | null, deciders: readonly PersonView[]) {
  const names = (people: readonly { name: string }[]) => people.map(({ name }) => firstName(name));
  if (!signing) return { deciderNames: names(deciders) };
  const { maySign, requirements } = signing.progress;
  return {
    deciderNames: names(signing.policy.people.filter(({ id }) => maySign.includes(id))),
    signatures: Math.max(1, ...requirements.map(({ missingCount }) => missingCount)),
  };
}

function toItem({ kind, at, ...wave }: NotifiedWave) {
  return {
    ...wave,
    kind: "NOTIFIED" as const,
    at: at.toISOString(),
    isReminder: kind === "APPROVAL_REMINDER",
  };
}

function decided(facts: ApprovalFacts, status: ApprovalStatus, viewerId: string): HistoryItemView[] {
  if (status === "EXPIRED") {
    return [{ kind: "EXPIRED", at: (facts.decision?.at ?? facts.expiresAt).toISOString() }];
  }
  const { decision } = facts;
  if (!decision) return [];
  if (status === "RULE_CHANGED") {
    const { name = null, version = null } = (facts.kind === "RULE_RUN" && facts.endedBy) || {};
    return [{ kind: "RULE_CHANGED", at: decision.at.toISOString(), byName: name, version }];
  }
  if (status === "WITHDRAWN") {
    return [{ kind: "WITHDRAWN", at: decision.at.toISOString(), byName: facts.proposedBy.name }];
  }
  if (decision.byId === null || decision.method === null) {
    return [{ kind: "REVOKED", at: decision.at.toISOString(), byName: facts.key?.revokedByName ?? null }];
  }
  return [
    {
      kind: facts.state === "APPROVED" ? "APPROVED" : "DENIED",
      at: decision.at.toISOString(),
      byName: decision.byName ?? FORMER_MEMBER,
      byViewer: decision.byId === viewerId,
      method: decision.method,
    },
  ];
}

function ended(facts: ApprovalFacts, status: ApprovalStatus): HistoryItemView[] {
  const { startedAt, endedAt, code } = times(facts);
  const at = endedAt.toISOString();
  switch (status) {
    case "ON_ITS_WAY":
      return [{ kind: "ON_ITS_WAY", at: startedAt.toISOString(), ...towardsTheBank(facts) }];
    case "SETTLED":
      return [{ kind: "SETTLED", at }];
    case "PARTIAL":
      return [{ kind: "PARTIAL", at, code }];
    case "FAILED":
      return [{ kind: "FAILED", at, code }];
    case "RETURNED":
      return [
        { kind: "SETTLED", at },
        { kind: "RETURNED", at: startedAt.toISOString(), code },
      ];
    case "CANCELLED":
      return [{ kind: "CANCELLED", at, byName: cancelledBy(facts) }];
    default:
      return [];
  }
}

function towardsTheBank(facts: ApprovalFacts): { leavesAt: string | null; isUnanswered: boolean } {
  if (facts.kind !== "TRANSFER") return { leavesAt: null, isUnanswered: false };
  return { leavesAt: facts.leavesAt?.toISOString() ?? null, isUnanswered: facts.isUnanswered };
}

/** When it last changed, when it ended, and the code. A run begins with its decision. */
function times(facts: ApprovalFacts): { startedAt: Date; endedAt: Date; code: string } {
  if (facts.kind === "TRANSFER") {
    const { updatedAt, completedAt, errorCode } = facts;
    return { startedAt: updatedAt, endedAt: completedAt ?? updatedAt, code: errorCode ?? "ACH_SENT_BACK" };
  }
  const startedAt = facts.decision?.at ?? facts.createdAt;
  const failed = facts.transfers.find((transfer) => transfer.errorCode !== null);
  return { startedAt, endedAt: facts.endedAt ?? startedAt, code: failed?.errorCode ?? "RUN_FAILED" };
}

function cancelledBy(facts: ApprovalFacts): string {
  const byName = facts.kind === "TRANSFER" ? facts.cancelledByName : null;
  if (byName !== null) return byName;
  if (facts.kind === "TRANSFER" && facts.isWithdrawn) return facts.proposedBy.name;
  if (!facts.key?.isRevoked) return "a member";
  return facts.proposedBy.kind === "ASSISTANT" ? "the end of its connection" : "the revocation of its key";
}

export function firstName(name: string): string {
  return name.split(" ")[0] ?? name;
}

/** One wave of messages about a proposal over one channel. */
interface NotifiedWave {
  at: Date;
  channel: MessageChannel;
  kind: "APPROVAL_ASKED" | "APPROVAL_REMINDER" | "APPROVAL_SIGNED" | "APPROVAL_DECIDED";
  recipients: string[];
  deliveredCount: number;
  failedCount: number;
}

interface WaveRow {
  at: Date;
  channel: MessageChannel;
  kind: NotifiedWave["kind"];
  recipients: string[];
  delivered: number;
  failed: number;
}

/**
 * Who was notified of a proposal, and whether delivery succeeded: first names for email, the last digits for SMS, first
 * names and browsers for devices.
 */
export async function listNotified(
  database: Queryable,
  organizationId: string,
  proposalId: string,
): Promise<NotifiedWave[]> {
  const { rows } = await database.query<WaveRow>({
    name: "list_notified",
    text: `
      select min(m.created_at) as at, m.channel, m.kind,
          json_agg(case m.channel when 'SMS' then '••' || right(m.recipient, 2)
              when 'PUSH' then split_part(u.name, ' ', 1) || ' (' || m.recipient || ')'
              else split_part(u.name, ' ', 1) end
            order by u.name) as recipients,
          count(*) filter (where m.status = 'SENT')::int as delivered,
          count(*) filter (where m.status = 'FAILED')::int as failed
        from message_proposals mp
        join messages m on m.organization_id = mp.organization_id and m.id = mp.message_id
        join users u on u.id = m.user_id
       where mp.organization_id = $1 and mp.proposal_id = $2
       group by m.kind, m.channel
       order by 1, 2
       limit 20`,
    values: [organizationId, proposalId],
  });
  return rows.map((row) => ({
    at: row.at,
    channel: row.channel,
    kind: row.kind,
    recipients: row.recipients,
    deliveredCount: row.delivered,
    failedCount: row.failed,
  }));
}
