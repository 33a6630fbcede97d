import {
  type ApprovalFacts,
  type RunApprovalFacts,
  readApprovalFacts,
} from "@/lib/core/approvals/approval-facts";
import { readBatchFacts, unstruckLines } from "@/lib/core/approvals/batches/batch-facts";
import { readBatchSigning } from "@/lib/core/approvals/batches/batch-signing";
import { type BatchMoveFacts, readBatchMoves } from "@/lib/core/approvals/batches/read-batch-move";
import { describeKnockOn } from "@/lib/core/approvals/describe-knock-on";
import { transferMoves } from "@/lib/core/approvals/describe-transfer";
import { forecastApproval, forecastTogether } from "@/lib/core/approvals/forecast-approval";
import {
  approvableMoves,
  PROPOSAL,
  type ProposalFacts,
  type ProposalRow,
  toProposalFacts,
} from "@/lib/core/approvals/proposal-facts";
import { readRequesterRecord } from "@/lib/core/approvals/read-requester-record";
import { signingOf } from "@/lib/core/approvals/signing";
import type { DueNotice } from "@/lib/core/notifications/claim-notices";
import {
  type HandlersOf,
  type NoticeContext,
  settingOf,
  subjectsOf,
} from "@/lib/core/notifications/notice-kind";
import type { OutgoingNotice } from "@/lib/core/notifications/queue-messages";
import { approvalUrl } from "@/lib/core/transfers/read-transfers";
import type { Forecast } from "@/lib/engine/forecast/forecast-arrivals";
import { hasCodeClass } from "@/lib/platform/error-code";
import {
  MAX_LISTED_PROPOSALS,
  renderApprovalAsked,
  renderApprovalDecided,
  renderApprovalReminder,
  renderApprovalSigned,
  renderApprovalsWaiting,
} from "@/lib/words/messages/approval-messages";
import type { DecidedMove, ProposedMove, Requester, WaitingProposal } from "@/lib/words/messages/proposal";
import { FORMER_MEMBER } from "@/lib/words/names";

/**
 * A proposal, to every decider, or after a signature to those who may still sign; a reminder likewise. Null if it is no
 * longer waiting.
 */
async function composeProposal(context: NoticeContext, notice: DueNotice): Promise<OutgoingNotice | null> {
  const facts = await readPlaced(context, notice);
  if (!facts || !isWaiting(facts, notice)) return null;
  const batch =
    facts.batchId === null
      ? null
      : await readBatchFacts(context.client, notice.organizationId, facts.batchId, notice.now);
  const signing = batch
    ? await readBatchSigning({ database: context.client, ...notice }, batch)
    : signingOf(facts);
  const signedBy = signing?.valid.at(-1) ?? null;
  // Withdrawn or outdated since.
  if (notice.kind === "APPROVAL_SIGNED" && (!signing || !signedBy)) return null;
  const record = await readRequesterRecord(context.client, notice.organizationId, facts);
  const batchMove = batch
    ? (await readBatchMoves(context.client, notice.organizationId, [facts.id])).get(facts.id)
    : undefined;
  const lines = batch && unstruckLines(batch);
  const proposal: WaitingProposal = {
    move: moveOf(facts, batchMove),
    askedBy: toRequester(facts),
    trackRecord:
      record.decidedCount > 0 ? { approved: record.approvedCount, decided: record.decidedCount } : null,
    reason: facts.reason,
    payees: lines ? lines.flatMap((line) => newPayees(line.facts)).slice(0, NAMED_PAYEES) : newPayees(facts),
    aboveCapInCents: facts.aboveCap?.capInCents ?? null,
    alsoRuns: await readKnockOn(context, notice, () =>
      lines
        ? forecastTogether(
            context.client,
            notice,
            lines.map((line) => ({ moves: transferMoves(line.facts), chainDepth: 0 })),
            notice.timeZone,
          )
        : forecastApproval(context.client, notice, facts, notice.timeZone),
    ),
    expiresAt: facts.expiresAt,
    approvalUrl: approvalUrl(context.appUrl, facts.id),
  };
  const isReminder = notice.kind === "APPROVAL_REMINDER";
  const setting = settingOf(context, notice);
  const about = { proposalIds: [facts.id], usefulUntil: facts.expiresAt };
  if (notice.kind === "APPROVAL_SIGNED" && signing && signedBy) {
    return {
      kind: "APPROVAL_SIGNED",
      exceptUserId: null,
      onlyUserIds: signing.progress.maySign,
      ...about,
      ...renderApprovalSigned(proposal, signedBy.memberName, setting),
    };
  }
  const render = isReminder ? renderApprovalReminder : renderApprovalAsked;
  return {
    kind: isReminder ? "APPROVAL_REMINDER" : "APPROVAL_ASKED",
    // Who asked knows of it; before it expires they are reminded like everyone who can still sign.
    exceptUserId: isReminder ? null : memberWhoAsked(facts),
    ...(isReminder && signing && { onlyUserIds: signing.progress.maySign }),
    ...about,
    ...render(proposal, setting),
  };
}

/** A message has room for so many new payees of a batch; its page lists all. */
const NAMED_PAYEES = 5;

/** A batch, which its first line stands for. */
function toBatch({ sourceName, lineCount, totalInCents }: BatchMoveFacts) {
  return { kind: "BATCH" as const, amountInCents: totalInCents, sourceName, transferCount: lineCount };
}

/** The proposals of one requester that still wait, the gravest first. */
export async function composeProposals(
  context: NoticeContext,
  notices: readonly DueNotice[],
): Promise<OutgoingNotice | null> {
  const [first] = notices;
  if (!first) return null;
  const waiting = await findWaiting(context, first, subjectsOf(notices).ids);
  const listed: ApprovalFacts[] = [];
  for (const { id } of waiting.slice(0, MAX_LISTED_PROPOSALS)) {
    const facts = await readFacts(context, first, id);
    if (facts) listed.push(facts);
  }
  if (!listed[0]) return null;
  const batches = await readBatchMoves(
    context.client,
    first.organizationId,
    listed.map(({ id }) => id),
  );
  const rendered = renderApprovalsWaiting(
    {
      askedBy: toRequester(listed[0]),
      waitingCount: waiting.length,
      firstExpiresAt: new Date(Math.min(...waiting.map(({ expiresAt }) => expiresAt.getTime()))),
      proposals: listed.map((facts) => ({
        move: moveOf(facts, batches.get(facts.id)),
        payees: newPayees(facts),
        expiresAt: facts.expiresAt,
      })),
      approvalsUrl: `${context.appUrl}/approvals`,
    },
    settingOf(context, first),
  );
  return {
    kind: "APPROVAL_ASKED",
    proposalIds: waiting.map(({ id }) => id),
    exceptUserId: null,
    ...rendered,
  };
}

function moveOf(facts: ApprovalFacts, batch: BatchMoveFacts | undefined): ProposedMove {
  return batch ? toBatch(batch) : toMove(facts);
}

function memberWhoAsked({ proposedBy }: ApprovalFacts): string | null {
  return proposedBy.kind === "MEMBER" ? proposedBy.id : null;
}

/**
 * Payments out before other transfers, each by amount, and runs in turn with them, since what a run moves may be unknown:
 * many small proposals must not push a large one off the list.
 */
async function findWaiting(
  context: NoticeContext,
  notice: DueNotice,
  ids: readonly string[],
): Promise<{ id: string; expiresAt: Date }[]> {
  const { rows } = await context.client.query<{ id: string; expiresAt: Date }>({
    name: "find_waiting_proposals",
    text: `select p.id, p.expires_at as "expiresAt" from proposals p
             left join transfers t on t.organization_id = $1 and t.id = p.id
            where p.organization_id = $1 and p.id = any ($2) and p.state = 'WAITING' and p.expires_at > $3
            order by row_number() over (partition by p.kind order by t.direction = 'MONEY_OUT' desc,
              t.amount_in_cents desc, p.expires_at, p.id), p.kind desc`,
    values: [notice.organizationId, ids, notice.now],
  });
  return rows;
}

/** Also to the other deciders who were asked, so that they know it is settled. */
async function composeDecided(context: NoticeContext, notice: DueNotice): Promise<OutgoingNotice | null> {
  const decided = await readDecided(context, notice);
  if (!decided) return null;
  const batch = (await readBatchMoves(context.client, notice.organizationId, [decided.id])).get(decided.id);
  const { decision } = decided;
  // The line that stands for a batch may be one that was struck out.
  const state = batch?.state ?? decided.state;
  const move = batch ? decidedBatch(batch) : decided.move;
  if (!decision || (state !== "APPROVED" && state !== "DENIED" && state !== "WITHDRAWN")) return null;
  const { email } = renderApprovalDecided(
    {
      move,
      askedBy: toRequester(decided),
      decision: state,
      decidedBy: state === "WITHDRAWN" ? decided.proposedBy.name : (decision.byName ?? "A former member"),
      decidedAt: decision.at,
      denialReason: state === "APPROVED" ? null : decision.note,
      approvalUrl: approvalUrl(context.appUrl, decided.id),
    },
    settingOf(context, notice),
  );
  return {
    kind: "APPROVAL_DECIDED",
    proposalIds: [decided.id],
    exceptUserId: decision.byId,
    email,
    sms: null,
  };
}

function decidedBatch(batch: BatchMoveFacts): DecidedMove {
  const { state, sourceName, approvedCount, approvedInCents } = batch;
  if (state !== "APPROVED") return toBatch(batch);
  return { kind: "BATCH", amountInCents: approvedInCents, sourceName, transferCount: approvedCount };
}

/** Of a transfer, only what the message says: nothing is left to check, so balances and history are not read. */
async function readDecided(
  context: NoticeContext,
  notice: DueNotice,
): Promise<(ProposalFacts & { move: DecidedMove }) | null> {
  const { rows } = await context.client.query<ProposalRow & DecidedTransferRow>({
    name: "read_decided_proposal",
    text: `
      select f.*, t.amount_in_cents as "amountInCents", source.name as "sourceName", destination.name as "destinationName",
          (select coalesce(r.completed_at, r.created_at)
             from transfer_reversals v join transfers r on r.organization_id = $1 and r.id = v.transfer_id
            where v.organization_id = $1 and v.reversal_id = t.id limit 1) as "reversesSettledAt"
        from (${PROPOSAL}) f
        left join transfers t on f.kind = 'TRANSFER' and t.organization_id = $1 and t.id = f.id
        left join accounts source on source.organization_id = $1 and source.id = t.source_account_id
        left join accounts destination on destination.organization_id = $1 and destination.id = t.destination_account_id`,
    values: [notice.organizationId, notice.subjectId],
  });
  const [row] = rows;
  if (!row) return null;
  if (row.kind === "RULE_RUN") {
    const facts = await readFacts(context, notice, notice.subjectId);
    return facts && { ...facts, move: toMove(facts) };
  }
  const { amountInCents, sourceName, destinationName, reversesSettledAt } = row;
  return {
    ...toProposalFacts(row),
    move: { kind: "TRANSFER", amountInCents, sourceName, destinationName, reversesSettledAt },
  };
}

/** Of a transfer; a run's are null. */
interface DecidedTransferRow {
  amountInCents: number;
  sourceName: string;
  destinationName: string;
  reversesSettledAt: Date | null;
}

function readFacts(
  { client }: NoticeContext,
  { organizationId, now }: DueNotice,
  proposalId: string,
): Promise<ApprovalFacts | null> {
  return readApprovalFacts(client, organizationId, proposalId, now);
}

/** A new run with the hours that its policy asks for: only with its plan is known which rule of the policy matches. */
async function readPlaced(context: NoticeContext, notice: DueNotice): Promise<ApprovalFacts | null> {
  const facts = await readFacts(context, notice, notice.subjectId);
  const [birth] = facts?.policy?.asks ?? [];
  if (notice.kind !== "APPROVAL_ASKED" || facts?.kind !== "RULE_RUN" || !birth || birth.version === 0) {
    return facts;
  }
  const { rows } = await context.client.query<{ expiresAt: Date | null }>({
    name: "set_time_to_decide",
    text: `select set_time_to_decide($1, $2, $3) as "expiresAt"`,
    values: [notice.organizationId, facts.id, birth.requirement.expiresAfterHours],
  });
  return { ...facts, expiresAt: rows[0]?.expiresAt ?? facts.expiresAt };
}

function isWaiting(facts: ApprovalFacts, notice: DueNotice): boolean {
  return facts.state === "WAITING" && facts.expiresAt > notice.now;
}

function newPayees({ payees }: ApprovalFacts): WaitingProposal["payees"] {
  return payees.flatMap(({ name, isOwn, novelty, accountNumberLast4 }) =>
    novelty === null ? [] : [{ name, isOwn, novelty, accountNumberLast4 }],
  );
}

function toMove(facts: ApprovalFacts): ProposedMove {
  if (facts.kind === "RULE_RUN") return toRun(facts);
  return {
    kind: "TRANSFER",
    amountInCents: facts.amountInCents,
    sourceName: facts.source.name,
    destinationName: facts.destination.name,
    reversesSettledAt: facts.reverses?.settledAt ?? null,
    sourceBalanceInCents: facts.source.balanceInCents,
    destinationBalanceInCents: facts.destination.balanceInCents,
  };
}

function toRequester({ proposedBy, key }: ProposalFacts): Requester {
  const connectedBy = proposedBy.kind === "ASSISTANT" ? (key?.createdByName ?? FORMER_MEMBER) : null;
  return { name: proposedBy.name, isPerson: proposedBy.kind === "MEMBER", connectedBy };
}

/** As of now: the run may move another amount by the time someone opens its page. */
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

/** Forecasts the rules that an approval would trigger. A forecast that fails must not delay or prevent the notice. */
async function readKnockOn(
  { client, log }: NoticeContext,
  notice: DueNotice,
  forecasting: () => Promise<Forecast>,
): Promise<WaitingProposal["alsoRuns"]> {
  await client.query("savepoint before_forecast");
  try {
    const forecast = await forecasting();
    const runs = describeKnockOn(forecast).runs.filter(({ outcome }) => outcome === "RUNS");
    await client.query("release savepoint before_forecast");
    return runs;
  } catch (error) {
    if (hasCodeClass(error, "40")) throw error;
    await client.query("rollback to savepoint before_forecast");
    const { organizationId, subjectId } = notice;
    log.warn(
      { err: error, organizationId, proposalId: subjectId },
      "the rules that a proposal triggers could not be forecast",
    );
    return [];
  }
}

const approval = { one: composeProposal, digest: composeProposals };

export const approvalNotices: Omit<
  HandlersOf<"APPROVALS" | "DECISIONS">,
  | "POLICY_SIGNATURE_ASKED"
  | "MANDATE_ASKED"
  | "RULE_SIGNATURE_ASKED"
  | "CHANGE_SIGNATURE_ASKED"
  | "CHANGE_SIGNATURE_REMINDER"
  | "CHANGE_ENDED"
> = {
  APPROVAL_ASKED: approval,
  APPROVAL_REMINDER: approval,
  APPROVAL_SIGNED: approval,
  APPROVAL_DECIDED: { one: composeDecided, digest: composeProposals },
};
