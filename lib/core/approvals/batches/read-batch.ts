import type { TransferBatch } from "@/lib/contract/approvals/batch";
import type { ProposalStatus } from "@/lib/contract/approvals/proposal";
import { AppError } from "@/lib/contract/error";
import type { TransferStatus } from "@/lib/contract/transfer";
import { approvalsOf } from "@/lib/core/approvals/approvals-for-programs";
import { readBatchFacts } from "@/lib/core/approvals/batches/batch-facts";
import { readApprovalsOfLine, readBatchSigning } from "@/lib/core/approvals/batches/batch-signing";
import { runChecks } from "@/lib/core/approvals/checks";
import type { ProposalState } from "@/lib/core/approvals/proposal-facts";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { covers, requirePermission } from "@/lib/core/shared/permits";
import { type DecisionRow, decisionOf, toDecision } from "@/lib/core/shared/proposal-decision";
import { approvalUrl } from "@/lib/core/transfers/read-transfers";
import type { Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import { checkForProgram } from "@/lib/words/check-words";

/** In a transaction, its client. */
interface Reading extends Pick<Services, "appUrl"> {
  pool: Queryable;
}

interface LineRow {
  line: number;
  transferId: string;
  status: TransferStatus;
  state: ProposalState;
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  description: string | null;
  externalId: string | null;
  decision: DecisionRow | null;
}

interface HeadRow {
  apiKeyId: string | null;
  reasonForApproval: string | null;
  totalInCents: number;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * A batch with its lines, for its program, or for a key that may read every transfer in it.
 * @throws AppError `TRANSFER_NOT_FOUND`, also for one of which the caller may not read every transfer; `ACCESS_DENIED` if it
 * may read none.
 */
export async function getBatch(
  { pool, appUrl }: Reading,
  context: Context<CallerActor>,
  batchId: string,
): Promise<TransferBatch> {
  const { organizationId, actor, now } = context;
  const head = await readHead(pool, organizationId, batchId);
  const lines = head ? await readLines(pool, organizationId, batchId) : [];
  if (!head || !mayRead(actor, head, lines)) {
    throw new AppError("TRANSFER_NOT_FOUND", `There is no batch ${batchId} that this key may read.`);
  }
  const status = batchStatus(lines, head.expiresAt, now);
  const facts = status === "WAITING" ? await readBatchFacts(pool, organizationId, batchId, now) : null;
  const checks = new Map(
    facts?.lines.map((line) => [line.facts.id, runChecks(line.facts).map(checkForProgram)]),
  );
  const { apiKeyId: _apiKeyId, ...shown } = head;
  return {
    id: batchId,
    status,
    ...shown,
    approvedInCents: lines.reduce(
      (sum, { state, amountInCents }) => sum + (state === "APPROVED" ? amountInCents : 0),
      0,
    ),
    approvalUrl: status === "WAITING" ? approvalUrl(appUrl, batchId) : null,
    createdAt: head.createdAt.toISOString(),
    expiresAt: head.expiresAt.toISOString(),
    approvals: facts
      ? approvalsOf(await readBatchSigning({ database: pool, organizationId, now }, facts), facts.expiresAt)
      : await readApprovalsOfLine(pool, context, lines[0]?.transferId ?? batchId),
    lines: lines.map(({ decision, state: _state, ...line }) => ({
      ...line,
      checks: checks.get(line.transferId) ?? null,
      decision: toDecision(decision),
    })),
  };
}

async function readHead(
  database: Queryable,
  organizationId: string,
  batchId: string,
): Promise<HeadRow | null> {
  const { rows } = await database.query<HeadRow>({
    name: "read_batch_head",
    text: `select api_key_id as "apiKeyId", reason_for_approval as "reasonForApproval", total_in_cents as "totalInCents",
        created_at as "createdAt", expires_at as "expiresAt"
      from transfer_batches where organization_id = $1 and id = $2`,
    values: [organizationId, batchId],
  });
  return rows[0] ?? null;
}

async function readLines(database: Queryable, organizationId: string, batchId: string): Promise<LineRow[]> {
  const { rows } = await database.query<LineRow>({
    name: "list_batch_lines",
    text: `
      select n.batch_line as line, t.id as "transferId", t.status, n.state, t.source_account_id as "sourceAccountId",
          t.destination_account_id as "destinationAccountId", t.amount_in_cents as "amountInCents", t.description,
          label.external_id as "externalId", ${decisionOf("t")} as decision
        from proposals n
        join transfers t on t.organization_id = n.organization_id and t.id = n.id
        left join transfer_labels label on label.organization_id = t.organization_id and label.transfer_id = t.id
       where n.organization_id = $1 and n.batch_id = $2 order by n.batch_line`,
    values: [organizationId, batchId],
  });
  return rows;
}

function mayRead(actor: CallerActor, { apiKeyId }: HeadRow, lines: readonly LineRow[]): boolean {
  if (apiKeyId === actor.id) return true;
  const granted = requirePermission(actor, "READ_TRANSFERS");
  return lines.every(
    ({ sourceAccountId, destinationAccountId }) =>
      covers(granted.accounts, sourceAccountId) || covers(granted.accounts, destinationAccountId),
  );
}

/** What became of a batch: approved once any line was, and past its expiry expired for every reader. */
export function batchStatus(
  lines: readonly { state: ProposalState }[],
  expiresAt: Date,
  now: Date,
): ProposalStatus {
  const states = lines.map(({ state }) => state);
  if (states.includes("APPROVED")) return "APPROVED";
  const ended = states.find((state) => state !== "WAITING");
  if (ended === undefined) return expiresAt <= now ? "EXPIRED" : "WAITING";
  return ended === "RULE_CHANGED" ? "REVOKED" : ended;
}
