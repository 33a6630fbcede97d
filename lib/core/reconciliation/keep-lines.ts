import { z } from "zod";
import { bankingDayAt } from "@/lib/contract/banking-days";
import { seenText } from "@/lib/contract/plain-text";
import type { LineVersion } from "@/lib/core/reconciliation/changed-lines";
import type { Moment } from "@/lib/core/reconciliation/record-findings";
import type { Queryable } from "@/lib/db/transaction";
import type { BankStatementLine } from "@/lib/ports/bank/bank-port";

const transferIdSchema = z.uuid();
const MAXIMUM_TEXT = 200;

export interface KeptLines {
  /** References of lines that are read for the first time. */
  added: string[];
  /** Known lines, as the bank reports them now. */
  again: LineVersion[];
}

/** Keeps lines as the bank reports them, each once; what it says of one later never changes it. */
export async function keepLines(
  client: Queryable,
  { organizationId, now }: Moment,
  reported: readonly BankStatementLine[],
): Promise<KeptLines> {
  const lines = [...new Map(reported.map((line) => [line.lineReference, toVersion(line)])).values()];
  if (lines.length === 0) return { added: [], again: [] };
  const { rows } = await client.query<{ lineReference: string }>({
    name: "add_bank_lines",
    text: `
      insert into bank_lines (organization_id, line_reference, booked_at, day, amount_in_cents, kind, transfer_id,
          deposit_reference, card_reference, rail, description, read_at)
        select $1, r."lineReference", r."bookedAt", r.day, r."amountInCents", r.kind, r."transferId",
            r."depositReference", r."cardReference", r.rail, r.description, $2
          from jsonb_to_recordset($3) as r("lineReference" text, "bookedAt" timestamptz, day date,
            "amountInCents" bigint, kind text, "transferId" uuid, "depositReference" text, "cardReference" text,
            rail text, description text)
      on conflict (organization_id, line_reference) do nothing
      returning line_reference as "lineReference"`,
    values: [organizationId, now, JSON.stringify(lines)],
  });
  const added = new Set(rows.map(({ lineReference }) => lineReference));
  return { added: [...added], again: lines.filter(({ lineReference }) => !added.has(lineReference)) };
}

function toVersion(line: BankStatementLine) {
  return {
    lineReference: line.lineReference,
    bookedAt: line.bookedAt.toISOString(),
    day: bankingDayAt(line.bookedAt),
    amountInCents: line.amountInCents,
    kind: line.kind,
    transferId: transferIdSchema.safeParse(line.transferId).data ?? null,
    depositReference: line.depositReference,
    cardReference: line.cardReference ?? null,
    rail: line.rail,
    description: Array.from(seenText(line.description, "\uFFFD").trim()).slice(0, MAXIMUM_TEXT).join(""),
  };
}
