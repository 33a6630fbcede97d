import type { CheckView } from "@/lib/contract/approvals/approval";
import {
  type BatchAccount,
  type BatchMoney,
  type BatchRoom,
  moneyOf,
} from "@/lib/contract/approvals/batch-money";
import { payeesAmong, type TransferApprovalFacts } from "@/lib/core/approvals/approval-facts";
import { runChecks } from "@/lib/core/approvals/checks";
import { approvalDigest } from "@/lib/core/approvals/digest";
import { type ProposalRow, proposalsWhere, toProposalFacts } from "@/lib/core/approvals/proposal-facts";
import {
  completeTransferSubject,
  type PartyFacts,
  subjectSince,
  type TransferSubject,
  type TransferSubjectRow,
  transferSubject,
} from "@/lib/core/approvals/transfer-subject";
import type { SentRequest } from "@/lib/core/shared/context";
import { readOutgoingRoom } from "@/lib/core/transfers/outgoing-cap";
import type { Queryable } from "@/lib/db/transaction";

/** One transfer of a batch, with everything that its checks and digest depend on. */
export interface BatchLineFacts {
  line: number;
  /** Who struck it out as they signed the others, while the batch waits for more signatures; null: nobody. */
  struckBy: { id: string; name: string } | null;
  facts: TransferApprovalFacts;
}

export interface BatchFacts {
  id: string;
  reason: string | null;
  request: SentRequest | null;
  totalInCents: number;
  createdAt: Date;
  expiresAt: Date;
  /** In the order of their numbers. */
  lines: BatchLineFacts[];
  accounts: BatchAccount[];
  /** What may leave Sluice; null where that is not capped. */
  room: BatchRoom | null;
}

/**
 * Lines of a batch are alike on purpose, so another line, one of `$2`, counts as similar only on the same route: what is
 * paid twice is paid to one account.
 */
const AMONG = `(other.id <> all ($2::uuid[])
  or other.source_account_id = t.source_account_id and other.destination_account_id = t.destination_account_id)`;

interface StruckRow {
  struckById: string | null;
  struckByName: string | null;
}

interface HeadRow extends Omit<BatchFacts, "lines" | "accounts" | "room"> {
  /** In the order of their numbers, which begin with 1. */
  lineIds: string[];
}

/**
 * The facts of all lines of a batch, in a few statements; null if the organization has none with this id. The deciding
 * transaction reads them under its locks.
 * @param now business time
 */
export async function readBatchFacts(
  database: Queryable,
  organizationId: string,
  batchId: string,
  now: Date,
): Promise<BatchFacts | null> {
  const { rows: heads } = await database.query<HeadRow>({
    name: "read_transfer_batch",
    text: `select id, reason_for_approval as reason, request, total_in_cents as "totalInCents", created_at as "createdAt",
        expires_at as "expiresAt", array(select p.id from proposals p
          where p.organization_id = $1 and p.batch_id = $2 order by p.batch_line) as "lineIds"
      from transfer_batches where organization_id = $1 and id = $2`,
    values: [organizationId, batchId],
  });
  const [found] = heads;
  if (!found) return null;
  const { lineIds, ...head } = found;
  const { rows } = await database.query<ProposalRow & TransferSubjectRow & StruckRow>({
    name: "read_batch_lines",
    // Each by its own id: a join would read the transfers of the organization for every line.
    text: `
      select f.*, s.*, struck.by_id as "struckById", struck.by_name as "struckByName"
        from unnest($2::uuid[]) with ordinality as asked (id, place)
       cross join lateral (${proposalsWhere("p.id = asked.id")} offset 0) f
       cross join lateral (${transferSubject("asked.id", AMONG)} offset 0) s
        left join lateral (
          select u.id as by_id, u.name as by_name from proposals line join users u on u.id = line.struck_by
           where line.organization_id = $1 and line.id = asked.id) struck on true
       order by asked.place`,
    values: [organizationId, lineIds, ...subjectSince(now, null)],
  });
  const subjects: { row: ProposalRow & StruckRow; subject: TransferSubject }[] = [];
  for (const row of rows) {
    subjects.push({ row, subject: await completeTransferSubject(database, organizationId, row) });
  }
  const parties = subjects.flatMap(({ subject }) => [subject.source, subject.destination]);
  const where = { database, organizationId, subjectId: batchId, now };
  const payees = await payeesAmong(
    where,
    subjects.map(({ subject }) => subject.destination),
  );
  const isWaiting = rows.some(({ state }) => state === "WAITING");
  const leaves = subjects.some(({ subject }) => subject.direction === "MONEY_OUT");
  const outgoing = isWaiting && leaves ? await readOutgoingRoom(database, organizationId, now) : null;
  return {
    ...head,
    lines: subjects.map(({ row, subject }, index) => ({
      line: index + 1,
      struckBy:
        row.struckById === null || row.struckByName === null
          ? null
          : { id: row.struckById, name: row.struckByName },
      facts: {
        ...toProposalFacts(row),
        ...subject,
        payees: payees.filter(({ id }) => id === subject.destination.id),
        outgoing: subject.direction === "MONEY_OUT" ? outgoing : null,
        // It is signed with the others (`readBatchSigning`).
        policy: null,
      },
    })),
    accounts: accountsOf(parties),
    room: outgoing,
  };
}

/** Those that nobody who signed has struck out: what the next person signs, or less. */
export function unstruckLines({ lines }: BatchFacts): BatchLineFacts[] {
  return lines.filter(({ struckBy }) => struckBy === null);
}

function accountsOf(parties: readonly PartyFacts[]): BatchAccount[] {
  const byId = new Map(parties.map((party) => [party.id, party]));
  return [...byId.values()].map(({ id, name, type, availableInCents, floorInCents }) => ({
    id,
    name,
    availableInCents,
    floorInCents,
    isOutside: type === "EXTERNAL_ACCOUNT",
  }));
}

/** What the lines move in their order. */
function movesOfLines(lines: readonly BatchLineFacts[]) {
  return lines.map(({ line, facts }) => ({
    line,
    sourceAccountId: facts.source.id,
    destinationAccountId: facts.destination.id,
    amountInCents: facts.amountInCents,
  }));
}

/** What these lines of the batch do to its accounts. */
export function moneyOfLines(facts: BatchFacts, lines: readonly BatchLineFacts[]): BatchMoney {
  return moneyOf(facts.accounts, facts.room, movesOfLines(lines));
}

/** Of one transfer; of a batch they depend on the lines before it, so they are computed for all that is signed. */
const OF_ALL_LINES: ReadonlySet<CheckView["kind"]> = new Set(["ENOUGH_MONEY", "FLOOR", "OUTGOING_CAP"]);

/** The checks of one line for itself. */
export function checksOfLine({ facts }: BatchLineFacts): CheckView[] {
  return runChecks(facts).filter(({ kind }) => !OF_ALL_LINES.has(kind));
}

/** Identifies what was shown of a line: its parties, amount, label and the outcomes of its own checks. */
export function digestOfLine(line: BatchLineFacts): string {
  return approvalDigest(line.facts, checksOfLine(line));
}
