import { createHash } from "node:crypto";
import { canBeSource } from "@/lib/contract/account";
import type {
  ApprovalAccountView,
  ApprovalStatus,
  BalanceRowView,
  CheckView,
  ConfirmationMethod,
  KnockOnView,
  NextProposalView,
  RequesterView,
} from "@/lib/contract/approvals/approval";
import { runHref } from "@/lib/contract/hrefs";
import { MAXIMUM_CHAIN_DEPTH } from "@/lib/contract/limits";
import type { MemberRole, PersonView } from "@/lib/contract/members";
import type { RulePlan } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
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
import { readClosedGates } from "@/lib/core/keys/gates";
import { listDeciders } from "@/lib/core/organizations/list-deciders";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { mayDecide } from "@/lib/core/shared/permits";
import { freshSignInUntil } from "@/lib/core/sign-in/confirmation";
import { hasPasskey } from "@/lib/core/sign-in/second-factors";
import type { Queryable } from "@/lib/db/transaction";
import type { Forecast } from "@/lib/engine/forecast/forecast-arrivals";
import type { Services } from "@/lib/platform/services";
import { buildHistory, type HistoryItemView, listNotified } from "@/lib/views/approvals/build-history";
import { describeRun, type RunAgainView, type RunMoveView } from "@/lib/views/approvals/describe-run";
import { FORMER_MEMBER } from "@/lib/words/names";

export interface DecisionView {
  kind: "APPROVED" | "DENIED";
  byName: string;
  byViewer: boolean;
  at: string;
  method: ConfirmationMethod;
  /** E.g. "Mara’s MacBook", when a passkey confirmed it. */
  passkeyName: string | null;
  /** The reason for a denial, for members only. */
  note: string | null;
}

/** What the approval page shows of any proposal. */
interface CommonApprovalView {
  id: string;
  /** `7c1e…44d0` */
  shortId: string;
  status: ApprovalStatus;
  /** The caller's words, verbatim; null without any. */
  reason: string | null;
  requester: RequesterView;
  balances: BalanceRowView[];
  /** Null if one of the balances is unknown. */
  together: {
    nowInCents: number;
    changeInCents: number;
    followsInCents: number;
    afterInCents: number;
  } | null;
  checks: CheckView[];
  /** The rules that would follow an approval: a forecast, while it waits. Null once it does not. */
  knockOn: KnockOnView | null;
  /** What rules have moved because of it; none while it waits. */
  followUps: FollowUpView[];
  request: SentRequestView | null;
  /** Names of the accounts that the request mentions by id. */
  accountNames: Readonly<Record<string, string>>;
  history: HistoryItemView[];
  createdAt: string;
  expiresAt: string;
  decision: DecisionView | null;
  settlesOver: "BOOKS" | "ACH";
  /** Banking day on which an ACH transfer should settle, `YYYY-MM-DD`. */
  expectedOn: string | null;
  /** When it settled, failed, was returned or canceled. */
  endedAt: string | null;
  /** Why it failed or was returned: the API's code and one sentence that says whether money moved. */
  error: { code: string; sentence: string } | null;
  /** What the viewer is about to decide; see `DecisionSubject.digest`. */
  digest: string;
  /** Approving waits until the gates open; denying does not. */
  areGatesClosed: boolean;
  viewer: {
    canDecide: boolean;
    role: MemberRole;
    hasPasskey: boolean;
    /** Until then their recent sign-in confirms, in business time. Null: it does not, they are asked. */
    freshUntil: string | null;
  };
  /** Owners and co-owners: who decides when the viewer may not. */
  deciders: PersonView[];
  next: NextProposalView | null;
  /** Proposals that still wait, without this one. */
  otherWaitingCount: number;
  /** Accepted, but neither submitted to the bank nor leased for it; and the viewer is an owner or co-owner. */
  canCancel: boolean;
  /** Start of a prefilled transfer back; null when not offered. */
  moveBackHref: string | null;
  /** The proposal that moves it back: waiting, on its way or settled. */
  movedBackHref: string | null;
  /** Opaque; changes with anything on this page. Compared with the answer of `refreshPath`. */
  version: string;
  time: TimeContext;
}

/** A proposed transfer. */
export interface TransferApprovalView extends CommonApprovalView {
  kind: "TRANSFER";
  amountInCents: number;
  /** The settled transfer of the same amount that it moves back; null for any other. */
  reverses: { href: string; settledAt: string } | null;
  /** Text on the statement, when the transfer goes over ACH. */
  achLabel: string | null;
  source: ApprovalAccountView;
  destination: ApprovalAccountView;
}

/** A proposed run of a rule. */
export interface RunApprovalView extends CommonApprovalView {
  kind: "RULE_RUN";
  rule: { name: string; href: string; version: number };
  /** Total amount. Null: not computed, because it was never approved, or cannot be. */
  amountInCents: number | null;
  /** The account that it starts from, with its money. */
  from: ApprovalAccountView;
  moves: RunMoveView[];
  /** Why nothing moves, in words; null if something does, or nothing was computed. */
  nothingBecause: string | null;
  /** Null unless the run ended with its version. */
  runAgain: RunAgainView | null;
  /** Its diagram; null if this version of Sluice cannot represent the rule. */
  drawing: {
    rule: Pick<RuleDefinition, "trigger" | "steps" | "limits">;
    plan: RulePlan | null;
    names: AccountNames;
    incomingAmountInCents: number | null;
    /** Current balance of the account that it starts from; null if unknown. */
    startsWithInCents: number | null;
  } | null;
}

/** Everything that the approval page shows of one proposal. */
export type ApprovalView = TransferApprovalView | RunApprovalView;

const MAXIMUM_FOLLOW_UPS = 50;

/**
 * Everything that the approval page shows of one proposal now; null if the organization has none with this ID. Any
 * member may read it; reading decides nothing.
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
  const status = approvalStatus(facts, context.now);
  const [requester, notified, deciders, waiting, memberHasPasskey, closedGates, forecast, followUps] =
    await Promise.all([
      readRequesterRecord(pool, context.organizationId, facts),
      listNotified(pool, context.organizationId, proposalId),
      listDeciders(pool, context.organizationId),
      readWaiting(pool, context.organizationId, proposalId, context.now),
      hasPasskey(pool, context.actor.id),
      readClosedGates(pool, context.organizationId),
      status === "WAITING" ? forecastApproval(pool, context, facts, time.timeZone) : null,
      facts.state === "APPROVED" ? listFollowUps(pool, context.organizationId, proposalId) : [],
    ]);
  const checks = runChecks(facts);
  const common = {
    id: facts.id,
    shortId: `${facts.id.slice(0, 4)}…${facts.id.slice(-4)}`,
    status,
    reason: facts.reason,
    requester: describeRequester(facts, requester),
    checks: shownChecks(checks),
    knockOn: forecast && describeKnockOn(forecast),
    followUps,
    request: describeRequest(facts),
    history: buildHistory({ facts, status, notified, deciders, viewerId: context.actor.id }),
    createdAt: facts.createdAt.toISOString(),
    expiresAt: facts.expiresAt.toISOString(),
    decision: describeDecision(facts, context.actor.id),
    digest: approvalDigest(facts, checks),
    areGatesClosed: closedGates !== null,
    viewer: {
      canDecide: mayDecide(context.actor),
      role: context.actor.role,
      hasPasskey: memberHasPasskey,
      freshUntil: freshSignInUntil(services, context, memberHasPasskey),
    },
    deciders,
    next: waiting.next,
    otherWaitingCount: waiting.count,
    canCancel: facts.kind === "TRANSFER" && facts.isCancellable && mayDecide(context.actor),
    moveBackHref: mayMoveBack(facts, context.actor) ? `/transfers/${facts.id}/move-back` : null,
    movedBackHref:
      facts.kind === "TRANSFER" && facts.reversalId !== null ? proposalHref(facts.reversalId) : null,
    time,
  };
  const subject = describeSubject(facts, status, forecast, mayDecide(context.actor));
  return { ...common, ...subject, version: versionOf({ ...common, ...subject }) };
}

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
): RequesterView {
  return {
    kind: facts.proposedBy.kind,
    name: facts.proposedBy.name,
    createdByName: facts.key?.createdByName ?? null,
    createdAt: facts.key?.createdAt.toISOString() ?? null,
    lastUsedAt: facts.key?.lastUsedAt?.toISOString() ?? null,
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
    passkeyName: decision.passkeyName,
    note: decision.note,
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
  amount_in_cents: number;
  source_name: string;
  destination_name: string;
  rule_id: string;
  rule_name: string;
  execution_id: string;
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
      select t.id, t.status, t.amount_in_cents, source.name as source_name, destination.name as destination_name,
          r.id as rule_id, r.name as rule_name, s.id as execution_id
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
    ruleName: row.rule_name,
    /** The page of the run that made it. */
    runHref: runHref(row.rule_id, row.execution_id),
    sourceName: row.source_name,
    destinationName: row.destination_name,
    amountInCents: row.amount_in_cents,
    status: statusOfAccepted(row.status),
  }));
}

/** A transfer of a rule that the approved money started, directly or through another rule. */
export type FollowUpView = Awaited<ReturnType<typeof listFollowUps>>[number];
