import { type ProposalSubject, readProposalSubjects } from "@/lib/core/approvals/proposal-subjects";
import type { Queryable } from "@/lib/db/transaction";

interface LineRow {
  /** The first line, which represents its batch in lists. */
  headId: string;
  batchId: string;
  lineCount: number;
  totalInCents: number;
  moves: ProposalSubject["moves"];
}

/** What stands for a batch in lists of what waits. */
export interface WaitingProposalSubject extends ProposalSubject {
  /** Null for a single transfer or run. */
  batchId: string | null;
}

/**
 * The subjects of proposals for lists of what waits, where the first line of a batch stands for all of it: its lines
 * together.
 * @param where `now` is business time
 */
export async function readWaitingSubjects(
  database: Queryable,
  where: { organizationId: string; now: Date },
  proposalIds: readonly string[],
): Promise<Map<string, WaitingProposalSubject>> {
  const subjects = new Map<string, WaitingProposalSubject>(
    [...(await readProposalSubjects(database, where, proposalIds))].map(([id, subject]) => [
      id,
      { ...subject, batchId: null },
    ]),
  );
  if (proposalIds.length === 0) return subjects;
  const { rows } = await database.query<LineRow>({
    name: "read_waiting_batches",
    text: `
      select p.id as "headId", b.id as "batchId", count(*)::int as "lineCount",
          sum(t.amount_in_cents)::bigint as "totalInCents",
          json_agg(json_build_object('sourceAccountId', t.source_account_id, 'destinationAccountId',
            t.destination_account_id, 'amountInCents', t.amount_in_cents) order by line.batch_line) as moves
        from proposals p
        join transfer_batches b on b.organization_id = p.organization_id and b.id = p.batch_id
        join proposals line on line.organization_id = b.organization_id and line.batch_id = b.id
        join transfers t on t.organization_id = line.organization_id and t.id = line.id
       where p.organization_id = $1 and p.id = any ($2) and p.batch_line = 1
         and line.struck_by is null
       group by p.id, b.id`,
    values: [where.organizationId, proposalIds],
  });
  for (const row of rows) {
    const first = subjects.get(row.headId);
    if (first?.view.kind === "TRANSFER") subjects.set(row.headId, toBatch(row, first));
  }
  return subjects;
}

function toBatch(
  { batchId, lineCount, totalInCents, moves }: LineRow,
  first: ProposalSubject,
): WaitingProposalSubject {
  const sources = new Set(moves.map(({ sourceAccountId }) => sourceAccountId));
  const destinations = new Set(moves.map(({ destinationAccountId }) => destinationAccountId));
  const { view } = first;
  return {
    batchId,
    view: {
      kind: "BATCH",
      sourceName: sources.size === 1 ? view.sourceName : `${sources.size} accounts`,
      destinationName: view.kind === "TRANSFER" && destinations.size === 1 ? view.destinationName : null,
      destinationCount: destinations.size,
      lineCount,
      amountInCents: totalInCents,
    },
    moves,
    accountIds: [...sources, ...destinations],
    routeKey: batchId,
    chainDepth: 0,
  };
}
