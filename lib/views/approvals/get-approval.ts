import { createHash } from "node:crypto";
import type { ApprovalStatus, CheckView, RequesterView } from "@/lib/contract/approvals/approval";
import { runHref } from "@/lib/contract/hrefs";
import type { Labels } from "@/lib/contract/input/labels";
import type { NamedAlike } from "@/lib/contract/input/look-alike";
import { MAXIMUM_CHAIN_DEPTH } from "@/lib/contract/limits";
import { canBeSource } from "@/lib/contract/rules/account-sides";
import type { TimeContext } from "@/lib/contract/time-context";
import type { TransferStatus } from "@/lib/contract/transfer";
import {
  type ApprovalFacts,
  approvalStatus,
  readApprovalFacts,
  statusOfAccepted,
} from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { describeKnockOn } from "@/lib/core/approvals/describe-knock-on";
import { describeTransfer } from "@/lib/core/approvals/describe-transfer";
import { approvalDigest } from "@/lib/core/approvals/digest";
import { forecastApproval } from "@/lib/core/approvals/forecast-approval";
import { readRequesterRecord } from "@/lib/core/approvals/read-requester-record";
import { proposalHref, readWaiting } from "@/lib/core/approvals/read-waiting";
import { type Signing, signingOf } from "@/lib/core/approvals/signing";
import { readClosedGates } from "@/lib/core/keys/gates";
import { listDeciders } from "@/lib/core/organizations/list-deciders";
import type { MemberActor } from "@/lib/core/shared/context";
import { readLookAlikeCallers } from "@/lib/core/shared/look-alikes";
import { mayDecide } from "@/lib/core/shared/permits";
import { freshSignInUntil } from "@/lib/core/sign-in/confirmation";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import type { Forecast } from "@/lib/engine/forecast/forecast-arrivals";
import { buildHistory, listNotified } from "@/lib/views/approvals/build-history";
import { describeDocuments } from "@/lib/views/approvals/describe-documents";
import { describeRun } from "@/lib/views/approvals/describe-run";
import { describeSigning, type SigningView } from "@/lib/views/approvals/describe-signing";
import type { TimedReading } from "@/lib/views/reading";
import { FORMER_MEMBER } from "@/lib/words/names";

const MAXIMUM_FOLLOW_UPS = 50;

const NO_LABELS: Labels = { externalId: null, metadata: [] };

/**
 * Everything that the approval page shows of one proposal now; null if the organization has none with this ID. Any
 * member may read it; reading decides nothing.
 * @param lowerTo cents that the viewer considers to approve of a waiting transfer; ignored unless less than its amount
 */
export async function getApproval(
  reading: TimedReading<"pool" | "clock">,
  proposalId: string,
  lowerTo: number | null = null,
) {
  const { services, context } = reading;
  const { organizationId, actor, now } = context;
  const facts = await readApprovalFacts(services.pool, organizationId, proposalId, now, lowerTo);
  if (!facts) return null;
  return describeApproval(reading, facts, {
    signing: signingOf(facts),
    signingView: describeSigning(facts, actor.id),
    notifiedOf: proposalId,
  });
}

interface Around {
  /** Of the proposal, or of its batch; null: one person decides. */
  signing: Signing | null;
  signingView: SigningView | null;
  /** The proposal of which people were notified: of a batch, its first line. */
  notifiedOf: string;
}

/** `getApproval` for a caller that has read the facts. */
export async function describeApproval(
  { services, context, time }: TimedReading<"pool" | "clock">,
  facts: ApprovalFacts,
  { signing, signingView, notifiedOf }: Around,
) {
  const { pool } = services;
  const { id: proposalId } = facts;
  const status = approvalStatus(facts, context.now);
  const [
    requester,
    notified,
    deciders,
    waiting,
    memberHasPasskey,
    closedGates,
    forecast,
    followUps,
    callers,
  ] = await Promise.all([
    readRequesterRecord(pool, context.organizationId, facts),
    listNotified(pool, context.organizationId, notifiedOf),
    listDeciders(pool, context.organizationId),
    readWaiting(pool, context.organizationId, notifiedOf, context.now),
    hasPasskey(pool, context.actor.id),
    readClosedGates(pool, context.organizationId),
    status === "WAITING" ? forecastApproval(pool, context, facts, time.timeZone) : null,
    facts.state === "APPROVED" ? listFollowUps(pool, context.organizationId, proposalId) : [],
    readLookAlikeCallers(pool, context.organizationId),
  ]);
  const checks = runChecks(facts);
  const common = {
    id: facts.id,
    /** `7c1e…44d0` */
    shortId: `${facts.id.slice(0, 4)}…${facts.id.slice(-4)}`,
    status,
    /** The caller's words, unchanged; null without any. */
    reason: facts.reason,
    /** The program's own id and data, as untrusted as the reason; empty of a run. */
    labels: facts.kind === "TRANSFER" ? facts.labels : NO_LABELS,
    /** What was attached while it waited, as unchecked as the reason; none of a run. */
    documents: describeDocuments(facts.kind === "TRANSFER" ? facts.documents : [], context, proposalId),
    requester: describeRequester(facts, requester, callers.get(facts.proposedBy.id ?? "")),
    checks: shownChecks(checks),
    /** The rules that would follow an approval: a forecast, while it waits. Null once it does not. */
    knockOn: forecast && describeKnockOn(forecast),
    /** What rules have moved because of it; none while it waits. */
    followUps,
    request: describeRequest(facts),
    history: buildHistory({ facts, signing, status, notified, deciders, viewerId: context.actor.id }),
    createdAt: facts.createdAt.toISOString(),
    expiresAt: facts.expiresAt.toISOString(),
    decision: describeDecision(facts, context.actor.id),
    /** Null: one owner or co-owner decides. */
    signing: signingView,
    /** What the viewer is about to decide; see `DecisionSubject.digest`. */
    digest: approvalDigest(facts, checks),
    /** Approving waits until the gates open; denying does not. */
    areGatesClosed: closedGates !== null,
    viewer: {
      canDecide: mayDecide(context.actor),
      role: context.actor.role,
      hasPasskey: memberHasPasskey,
      /** Until then their recent sign-in confirms, in business time. Null: it does not, they are asked. */
      freshUntil: freshSignInUntil(services, context, memberHasPasskey),
    },
    /** Owners and co-owners: who decides when the viewer may not. */
    deciders,
    next: waiting.next,
    /** Proposals that still wait, without this one. */
    otherWaitingCount: waiting.count,
    /** Accepted, but neither submitted to the bank nor leased for it; and the viewer is an owner or co-owner. */
    canCancel: facts.kind === "TRANSFER" && facts.isCancellable && mayDecide(context.actor),
    /** Start of a prefilled transfer back; null when not offered. */
    moveBackHref: mayMoveBack(facts, context.actor) ? `/transfers/${facts.id}/move-back` : null,
    /** The proposal that moves it back: waiting, on its way or settled. */
    movedBackHref:
      facts.kind === "TRANSFER" && facts.reversalId !== null ? proposalHref(facts.reversalId) : null,
    time,
  };
  const subject = describeSubject(facts, status, forecast, mayDecide(context.actor));
  return {
    ...common,
    ...subject,
    /** Opaque; changes with anything on this page. Compared with the answer of `refreshPath`. */
    version: versionOf({ ...common, ...subject }),
  };
}

/** Everything that the approval page shows of one proposal. */
export type ApprovalView = NonNullable<Awaited<ReturnType<typeof getApproval>>>;

/** A proposed transfer. */
export type TransferApprovalView = Extract<ApprovalView, { kind: "TRANSFER" }>;

/** A proposed run of a rule. */
export type RunApprovalView = Extract<ApprovalView, { kind: "RULE_RUN" }>;

export type DecisionView = NonNullable<ApprovalView["decision"]>;

function describeSubject(
  facts: ApprovalFacts,
  status: ApprovalStatus,
  forecast: Forecast | null,
  mayRun: boolean,
) {
  return facts.kind === "TRANSFER"
    ? describeTransfer(facts, status, forecast)
    : describeRun(facts, status, forecast, mayRun);
}

function describeRequest(facts: ApprovalFacts) {
  const { request } = facts;
  if (!request) return null;
  const headers = [
    { name: "idempotency-key", value: request.idempotencyKey },
    { name: "x-called-reason", value: request.calledReason },
  ].flatMap(({ name, value }) => (value === null ? [] : [{ name, value }]));
  return {
    method: request.method,
    path: request.path,
    headers /** The parsed body, in the caller's order of fields. */,
    body: flatBody(request.body),
  };
}

/** The request as the caller sent it; the credential is never part of it. */
export type SentRequestView = NonNullable<ReturnType<typeof describeRequest>>;

/** The schema allows only flat fields; anything else is shown as JSON. */
function flatBody(body: unknown) {
  if (typeof body !== "object" || body === null) return {};
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => {
      const isPlain = value === null || ["string", "number", "boolean"].includes(typeof value);
      return [field, isPlain ? value : JSON.stringify(value)];
    }),
  );
}

function describeRequester(
  facts: ApprovalFacts,
  record: Pick<RequesterView, "approvedCount" | "decidedCount" | "recent">,
  lookAlike: NamedAlike | undefined,
): RequesterView {
  return {
    kind: facts.proposedBy.kind,
    name: facts.proposedBy.name,
    createdByName: facts.key?.createdByName ?? null,
    createdAt: facts.key?.createdAt.toISOString() ?? null,
    lastUsedAt: facts.key?.lastUsedAt?.toISOString() ?? null,
    lookAlike: lookAlike ?? null,
    ...record,
  };
}

/** Leaves out passed checks that add nothing: enough money next to a floor, and that the rule is active. */
function shownChecks(checks: readonly CheckView[]): CheckView[] {
  const hasFloor = checks.some((check) => check.kind === "FLOOR");
  const saysNothing = new Set<CheckView["kind"]>(hasFloor ? ["ENOUGH_MONEY", "RULE_RUNS"] : ["RULE_RUNS"]);
  return checks.filter((check) => check.outcome !== "CLEAR" || !saysNothing.has(check.kind));
}

function describeDecision(facts: ApprovalFacts, viewerId: string) {
  const { decision, state } = facts;
  if (!decision || decision.byId === null || decision.method === null) return null;
  if (state !== "APPROVED" && state !== "DENIED") return null;
  return {
    kind: state,
    byName: decision.byName ?? FORMER_MEMBER,
    byViewer: decision.byId === viewerId,
    at: decision.at.toISOString(),
    method: decision.method,
    /** E.g. "Mara’s MacBook", when a passkey confirmed it. */
    passkeyName: decision.passkeyName,
    /** The reason for a denial, for members only. */
    note: decision.note,
    /** What the program reads. */
    reason: decision.reason && {
      ...decision.reason,
      askAgainAfter: decision.reason.askAgainAfter?.toISOString() ?? null,
    },
  };
}

function mayMoveBack(facts: ApprovalFacts, actor: MemberActor): boolean {
  if (facts.kind !== "TRANSFER" || facts.status !== "COMPLETE" || !mayDecide(actor)) return false;
  if (facts.reversalId !== null) return false;
  const { source, destination } = facts;
  return (
    !source.isClosed &&
    !destination.isClosed &&
    canBeSource(destination.type, destination.externalAccountType)
  );
}

/** Changes with anything the page shows, but not with time alone. */
function versionOf(view: { time: TimeContext; viewer: unknown }): string {
  const { time: _time, viewer: _viewer, ...shown } = view;
  return createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 22);
}

interface FollowUpRow {
  id: string;
  status: TransferStatus;
  amountInCents: number;
  sourceName: string;
  destinationName: string;
  ruleId: string;
  ruleName: string;
  executionId: string;
}

/**
 * What rules have moved because this proposal was approved: the transfers of the runs that its money triggered, and of
 * the runs those triggered, oldest first. Runs that moved nothing are left out.
 */
async function listFollowUps(database: Queryable, organizationId: string, proposalId: string) {
  const { rows } = await database.query<FollowUpRow>({
    name: "list_follow_ups",
    text: `
      with recursive set_off as (
        select e.id, 1 as depth
          from transfers t join rule_executions e
            on e.organization_id = $1 and e.cause_id = t.id::text and e.cause_kind = 'TRANSFER'
         where t.organization_id = $1 and t.id = $2
        union all
        select e.id, 1
          from transfers t join rule_executions e
            on e.organization_id = $1 and e.cause_id = t.id::text and e.cause_kind = 'TRANSFER'
         where t.organization_id = $1 and t.rule_execution_id = $2
        union all
        select e.id, s.depth + 1
          from set_off s
          join transfers t on t.organization_id = $1 and t.rule_execution_id = s.id
          join rule_executions e on e.organization_id = $1 and e.cause_id = t.id::text and e.cause_kind = 'TRANSFER'
         where s.depth < $3)
      select t.id, t.status, t.amount_in_cents as "amountInCents", source.name as "sourceName",
          destination.name as "destinationName",
          r.id as "ruleId", r.name as "ruleName", s.id as "executionId"
        from set_off s
        join transfers t on t.organization_id = $1 and t.rule_execution_id = s.id
        join accounts source on source.organization_id = $1 and source.id = t.source_account_id
        join accounts destination on destination.organization_id = $1 and destination.id = t.destination_account_id
        join rules r on r.organization_id = $1 and r.id = t.rule_id
       order by t.id limit $4`,
    values: [organizationId, proposalId, MAXIMUM_CHAIN_DEPTH, MAXIMUM_FOLLOW_UPS],
  });
  return rows.map((row) => ({
    key: row.id,
    ruleName: row.ruleName,
    /** The page of the run that made it. */
    runHref: runHref(row.ruleId, row.executionId),
    sourceName: row.sourceName,
    destinationName: row.destinationName,
    amountInCents: row.amountInCents,
    status: statusOfAccepted(row.status),
  }));
}
