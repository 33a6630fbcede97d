import { createHash } from "node:crypto";
import { canBeSource } from "@/lib/contract/account";
import { FRESH_SIGN_IN_MS } from "@/lib/contract/limits";
import type { AccountKind } from "@/lib/contract/views/account-ref-view";
import type {
  ApprovalAccountView,
  ApprovalStatus,
  ApprovalView,
  AskerView,
  BalanceRowView,
  CheckView,
  SentRequestView,
} from "@/lib/contract/views/approval-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import { type ApprovalFacts, type PartyFacts, readApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { buildHistory } from "@/lib/core/approvals/build-history";
import { approvalDigest } from "@/lib/core/approvals/digest";
import { listNotified } from "@/lib/core/approvals/list-notified";
import { readAskerRecord } from "@/lib/core/approvals/read-asker-record";
import { readWaiting } from "@/lib/core/approvals/read-waiting";
import { runChecks } from "@/lib/core/approvals/run-checks";
import type { Context, MemberActor } from "@/lib/core/context";
import { mayDecide } from "@/lib/core/keys/permits";
import { hasPasskey } from "@/lib/core/members/has-passkey";
import { listDeciders } from "@/lib/core/members/list-deciders";
import type { Services } from "@/lib/platform/services";

/**
 * Everything that the approval screen shows of one proposal, as of now; null when the organization has none with this
 * id. Any member may read it; reading decides nothing.
 */
export async function getApproval(
  services: Pick<Services, "pool" | "clock">,
  context: Context<MemberActor>,
  proposalId: string,
  time: TimeContext,
): Promise<ApprovalView | null> {
  const { pool } = services;
  const facts = await readApprovalFacts(pool, context.organizationId, proposalId, context.now);
  if (!facts) return null;
  const [asker, notified, deciders, waiting, memberHasPasskey] = await Promise.all([
    readAskerRecord(pool, context.organizationId, facts),
    listNotified(pool, context.organizationId, proposalId),
    listDeciders(pool, context.organizationId),
    readWaiting(pool, context.organizationId, proposalId, context.now),
    hasPasskey(pool, context.actor.id),
  ]);
  const checks = runChecks(facts);
  const status = approvalStatus(facts, context.now);
  const isFresh = services.clock.now().getTime() - context.actor.authenticatedAt.getTime() < FRESH_SIGN_IN_MS;
  const view: Omit<ApprovalView, "version"> = {
    ...describeTransfer(facts, status),
    asker: describeAsker(facts, asker),
    checks: shownChecks(checks),
    history: buildHistory({ facts, status, notified, deciders, viewerId: context.actor.id }),
    decision: describeDecision(facts, context.actor.id),
    digest: approvalDigest(facts, checks),
    viewer: {
      canDecide: mayDecide(context.actor),
      role: context.actor.role,
      hasPasskey: memberHasPasskey,
      mayDecideWithoutConfirmation: !memberHasPasskey && isFresh,
    },
    deciders,
    next: waiting.next,
    otherWaitingCount: waiting.count,
    canCancel: facts.isCancellable && mayDecide(context.actor),
    moveBackHref: mayMoveBack(facts, context.actor) ? `/transfers/${facts.id}/move-back` : null,
    time,
  };
  return { ...view, version: versionOf(view) };
}

/** A proposal past its time is expired for every reader, also in the moment before the worker has written it. */
export function approvalStatus(
  facts: Pick<ApprovalFacts, "state" | "status" | "expiresAt">,
  now: Date,
): ApprovalStatus {
  if (facts.state === "WAITING") return facts.expiresAt <= now ? "EXPIRED" : "WAITING";
  if (facts.state === "EXPIRED") return "EXPIRED";
  if (facts.state !== "APPROVED") return facts.state;
  switch (facts.status) {
    case "COMPLETE":
      return "SETTLED";
    case "FAILED":
    case "CANCELLED":
    case "RETURNED":
      return facts.status;
    default:
      return "ON_ITS_WAY";
  }
}

function describeTransfer(facts: ApprovalFacts, status: ApprovalStatus) {
  // While it waits or is on its way the page says what it would change; once booked, balances contain it already.
  const isAhead = status === "WAITING" || status === "ON_ITS_WAY";
  const change = isAhead ? facts.amountInCents : 0;
  const source = describeParty(facts.source, -change);
  const destination = describeParty(facts.destination, change);
  const balances = [balanceRow(source, -change), balanceRow(destination, change)];
  return {
    id: facts.id,
    shortId: `${facts.id.slice(0, 4)}…${facts.id.slice(-4)}`,
    kind: "TRANSFER" as const,
    status,
    amountInCents: facts.amountInCents,
    achLabel: facts.description,
    source,
    destination,
    reason: facts.reason,
    balances,
    together: together(balances),
    request: describeRequest(facts),
    createdAt: facts.createdAt.toISOString(),
    expiresAt: facts.expiresAt.toISOString(),
    settlesOver: facts.direction === "INTERNAL" ? ("BOOKS" as const) : ("ACH" as const),
    expectedOn: facts.expectedCompletionDate,
    endedAt: facts.completedAt?.toISOString() ?? null,
    error:
      facts.errorCode === null
        ? null
        : { code: facts.errorCode, sentence: facts.errorMessage ?? facts.errorCode },
  };
}

function describeParty(party: PartyFacts, changeInCents: number): ApprovalAccountView {
  const isOwed = party.externalAccountType === "LIABILITY";
  return {
    id: party.id,
    name: party.name,
    kind: accountKind(party),
    isOutside: party.type === "EXTERNAL_ACCOUNT",
    nowInCents: party.balanceInCents,
    // What is paid towards a debt makes it smaller.
    afterInCents:
      party.balanceInCents === null ? null : party.balanceInCents + (isOwed ? -changeInCents : changeInCents),
    floorInCents: party.floorInCents,
  };
}

export function accountKind(party: Pick<PartyFacts, "type" | "externalAccountType">): AccountKind {
  return party.externalAccountType === "LIABILITY" ? "LIABILITY" : party.type;
}

function balanceRow(account: ApprovalAccountView, changeInCents: number): BalanceRowView {
  const isOwed = account.kind === "LIABILITY";
  return {
    accountId: account.id,
    name: account.name,
    kind: account.kind,
    isOutside: account.isOutside,
    // A debt counts against what one has, so that the row *Together* shows that nothing appeared or vanished.
    nowInCents: account.nowInCents === null ? null : isOwed ? -account.nowInCents : account.nowInCents,
    changeInCents,
    afterInCents:
      account.afterInCents === null ? null : isOwed ? -account.afterInCents : account.afterInCents,
  };
}

function together(rows: readonly BalanceRowView[]): ApprovalView["together"] {
  let nowInCents = 0;
  let changeInCents = 0;
  let afterInCents = 0;
  for (const row of rows) {
    if (row.nowInCents === null || row.afterInCents === null) return null;
    nowInCents += row.nowInCents;
    changeInCents += row.changeInCents;
    afterInCents += row.afterInCents;
  }
  return { nowInCents, changeInCents, afterInCents };
}

function describeRequest(facts: ApprovalFacts): SentRequestView | null {
  const { request } = facts;
  if (!request) return null;
  const headers = [
    { name: "idempotency-key", value: request.idempotencyKey },
    { name: "x-called-reason", value: request.calledReason },
  ].flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));
  return { method: request.method, path: request.path, headers, body: flatBody(request.body) };
}

/** The schema let only flat fields through; anything else is shown as its JSON. */
function flatBody(body: unknown): SentRequestView["body"] {
  if (typeof body !== "object" || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => {
      const isPlain = value === null || ["string", "number", "boolean"].includes(typeof value);
      return [field, isPlain ? value : JSON.stringify(value)];
    }),
  );
}

function describeAsker(
  facts: ApprovalFacts,
  record: Pick<AskerView, "approvedCount" | "decidedCount" | "recent">,
): AskerView {
  return {
    kind: facts.proposedBy.kind,
    name: facts.proposedBy.name,
    madeByName: facts.key?.createdByName ?? null,
    madeAt: facts.key?.createdAt.toISOString() ?? null,
    lastUsedAt: facts.key?.lastUsedAt?.toISOString() ?? null,
    ...record,
  };
}

/** That there is enough money goes without saying where the floor says it already. */
function shownChecks(checks: readonly CheckView[]): CheckView[] {
  const hasFloor = checks.some((check) => check.kind === "FLOOR");
  return checks.filter((check) => check.kind !== "ENOUGH_MONEY" || check.outcome !== "CLEAR" || !hasFloor);
}

function describeDecision(facts: ApprovalFacts, viewerId: string): ApprovalView["decision"] {
  const { decision, state } = facts;
  if (!decision || decision.byId === null || decision.method === null) return null;
  if (state !== "APPROVED" && state !== "DENIED") return null;
  return {
    kind: state,
    byName: decision.byName ?? "a former member",
    byViewer: decision.byId === viewerId,
    at: decision.at.toISOString(),
    method: decision.method,
    passkeyName: decision.passkeyName,
    note: decision.note,
  };
}

function mayMoveBack(facts: ApprovalFacts, actor: MemberActor): boolean {
  const { source, destination } = facts;
  return (
    facts.status === "COMPLETE" &&
    mayDecide(actor) &&
    !source.isClosed &&
    !destination.isClosed &&
    canBeSource(destination.type, destination.externalAccountType)
  );
}

/** Changes with anything that the page shows, but not with the passing of time. */
function versionOf(view: Omit<ApprovalView, "version">): string {
  const { time: _time, viewer: _viewer, ...shown } = view;
  return createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 22);
}
