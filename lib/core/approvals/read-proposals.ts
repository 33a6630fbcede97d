import {
  MAXIMUM_CHECKED_PROPOSALS,
  MAXIMUM_PROPOSAL_DESTINATIONS,
  type Proposal,
  type ProposalKind,
  type ProposalStatus,
} from "@/lib/contract/approvals/proposal";
import type { ProposalCheck } from "@/lib/contract/approvals/proposal-check";
import { AppError } from "@/lib/contract/error";
import { payeeHref, ruleHref } from "@/lib/contract/hrefs";
import { type Page, type PageRequest, toPage } from "@/lib/contract/page";
import { readApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { type ProposalRow, proposalsStatement } from "@/lib/core/approvals/proposal-branches";
import { type ProposalSubject, readProposalSubjects } from "@/lib/core/approvals/proposal-subjects";
import { readAccountNames } from "@/lib/core/rules/read-account-names";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { mayReadAccounts } from "@/lib/core/shared/permits";
import { toDecision } from "@/lib/core/shared/proposal-decision";
import { approvalUrl } from "@/lib/core/transfers/read-transfers";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import { checkForProgram } from "@/lib/words/check-words";

/** In a transaction, its client. */
interface Reading extends Pick<Services, "appUrl"> {
  pool: Queryable;
}

interface ListProposalsInput extends PageRequest {
  /** Any of them; empty: all. */
  statuses: readonly ProposalStatus[];
  /** Any of them; empty: all. */
  kinds: readonly ProposalKind[];
  /** Only what the caller requested. */
  isMine: boolean;
}

/**
 * Proposals of every kind, newest first: what the caller requested, and what others did as far as it may read transfers,
 * rules and payees (docs/behavior/approvals.md).
 */
export async function listProposals(
  services: Reading,
  context: Context<CallerActor>,
  { statuses, kinds, isMine, ...page }: ListProposalsInput,
): Promise<Page<Proposal>> {
  const offset = (page.page - 1) * page.pageSize;
  const { rows } = await services.pool.query<ProposalRow>(
    proposalsStatement(context, { statuses, kinds, isMine, id: null, limit: page.pageSize + 1, offset }),
  );
  const cut = toPage(rows, page, (row) => row);
  return { ...cut, items: await describeRows(services, context, cut.items) };
}

/**
 * One proposal; of a transfer, a run or a payee by its own id.
 * @throws AppError `PROPOSAL_NOT_FOUND`, also for one that the caller may not read.
 */
export async function getProposal(
  services: Reading,
  context: Context<CallerActor>,
  proposalId: string,
): Promise<Proposal> {
  const wanted = { statuses: [], kinds: [], isMine: false, id: proposalId, limit: 1, offset: 0 };
  const { rows } = await services.pool.query<ProposalRow>(proposalsStatement(context, wanted));
  const [proposal] = await describeRows(services, context, rows);
  if (proposal) return proposal;
  throw new AppError("PROPOSAL_NOT_FOUND", `There is no proposal ${proposalId} that this key may read.`);
}

async function describeRows(
  services: Reading,
  context: Context<CallerActor>,
  rows: readonly ProposalRow[],
): Promise<Proposal[]> {
  const { pool } = services;
  const moving = rows.filter(({ kind }) => kind === "TRANSFER" || kind === "RULE_RUN").map(({ id }) => id);
  const subjects = await readProposalSubjects(pool, context, moving);
  const named = new Set([...subjects.values()].flatMap(({ moves }) => moves.flatMap(partiesOf)));
  const names = await readAccountNames(pool, context.organizationId, [...named]);
  const checks = await readChecks(pool, context, rows);
  const party = (id: string) => ({ id, name: names[id]?.name ?? "" });
  return rows.map((row) => ({
    ...toProposal(row, services.appUrl),
    ...describeMoves(row, subjects.get(row.id), context.actor, party),
    checks: checks.get(row.id) ?? null,
  }));
}

type Move = ProposalSubject["moves"][number];

const partiesOf = ({ sourceAccountId, destinationAccountId }: Move) => [
  sourceAccountId,
  destinationAccountId,
];

const UNKNOWN_MOVES = { source: null, destinations: [], amountInCents: null };

/** What a run moves depends on the balances of all accounts of its rule, so only who may read those sees it. */
function describeMoves(
  { kind }: ProposalRow,
  subject: ProposalSubject | undefined,
  actor: CallerActor,
  party: (id: string) => { id: string; name: string },
): Pick<Proposal, "source" | "destinations" | "amountInCents"> {
  if (!subject || (kind === "RULE_RUN" && !mayReadAccounts(actor, subject.accountIds))) return UNKNOWN_MOVES;
  const sources = new Set(subject.moves.map(({ sourceAccountId }) => sourceAccountId));
  const [only] = sources.size === 1 ? sources : [];
  const destinations = new Set(subject.moves.map(({ destinationAccountId }) => destinationAccountId));
  return {
    source: only === undefined ? null : party(only),
    destinations: [...destinations].slice(0, MAXIMUM_PROPOSAL_DESTINATIONS).map(party),
    amountInCents: subject.view.amountInCents,
  };
}

/** As the person who decides sees them, one proposal after another: a page never takes more than one connection. */
async function readChecks(
  database: Queryable,
  { organizationId, now }: Context,
  rows: readonly ProposalRow[],
): Promise<Map<string, ProposalCheck[]>> {
  const waiting = rows.filter(
    ({ kind, status }) => status === "WAITING" && (kind === "TRANSFER" || kind === "RULE_RUN"),
  );
  const checks = new Map<string, ProposalCheck[]>();
  for (const { id } of waiting.slice(0, MAXIMUM_CHECKED_PROPOSALS)) {
    const facts = await readApprovalFacts(database, organizationId, id, now);
    if (facts) checks.set(id, runChecks(facts).map(checkForProgram));
  }
  return checks;
}

function toProposal(
  row: ProposalRow,
  appUrl: string,
): Omit<Proposal, "source" | "destinations" | "amountInCents" | "checks"> {
  const { id, kind, status, decision } = row;
  return {
    id,
    kind,
    status,
    transferId: kind === "TRANSFER" ? id : null,
    ruleId: row.ruleId,
    ruleVersion: row.ruleVersion,
    ruleExecutionId: kind === "RULE_RUN" ? id : null,
    payeeId: kind === "PAYEE" ? id : null,
    name: row.name,
    reason: row.reason,
    requester: { kind: row.requesterKind, name: row.requesterName ?? NAMELESS, isCaller: row.isCaller },
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    approvalUrl: status === "WAITING" ? urlOf(row, appUrl) : null,
    decision: status === "WAITING" ? null : toDecision(decision && { ...decision, outcome: status }),
  };
}

/** A program that calls a rule's hook does not have to give a name. */
const NAMELESS = "A program";

function urlOf({ id, kind, ruleId, ruleVersion }: ProposalRow, appUrl: string): string {
  if (kind === "PAYEE") return `${appUrl}${payeeHref(id)}`;
  if (ruleId === null || kind === "RULE_RUN") return approvalUrl(appUrl, id);
  return `${appUrl}${ruleHref(ruleId, ruleVersion)}`;
}
