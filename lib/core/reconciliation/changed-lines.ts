import { judge } from "@/lib/core/reconciliation/compare";
import { KNOWN_LINES, lineKey, readAll } from "@/lib/core/reconciliation/read-facts";
import {
  type Changes,
  type Moment,
  type Recorded,
  writeChanges,
} from "@/lib/core/reconciliation/record-findings";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { BankStatementLine } from "@/lib/ports/bank/bank-port";

/** What the bank says of a line at one time. */
export interface LineVersion
  extends Pick<
    BankStatementLine,
    "lineReference" | "amountInCents" | "kind" | "transferId" | "depositReference"
  > {
  bookedAt: string;
  /** Banking day of `bookedAt`. */
  day: string;
  cardReference: string | null;
}

type Compared = Omit<LineVersion, "bookedAt">;

interface KnownLine {
  /** As it was kept, or as a member or another difference settled it since. */
  settled: Compared;
  /** The difference that says what the bank changed; null: there is none. */
  changed: (Compared & { differenceId: string }) | null;
}

/** How many corrected lines one page ends; the next reconciliation goes on. */
const CORRECTED_PER_PAGE = 200;

/**
 * Records what the bank says of known lines: a line with another amount, banking day or cause is a difference
 * of its own, of what the bank says now less what was kept. The line that was kept, its entry and the proofs with it stay, so
 * that nothing is booked again; both sides add up with the new amount. It ends when the bank changes the line back.
 * The caller holds the organization's reconciliation.
 */
export async function recordChangedLines(
  client: Queryable,
  moment: Moment,
  reported: readonly LineVersion[],
): Promise<Recorded> {
  const known = await readKnownLines(client, moment.organizationId, reported);
  const changes: Changes = { pairs: [], added: [], postponed: [], opened: [], ended: [] };
  const versions: (LineVersion & { differenceId: string; wasDay: string; wasKind: string })[] = [];
  for (const line of reported) {
    const before = known.get(line.lineReference);
    if (!before) throw new Error(`Line ${line.lineReference} was read before and is not kept`);
    const { settled, changed } = before;
    if (isSame(line, changed ?? settled)) continue;
    const isBack = isSame(line, settled);
    if (changed) {
      const resolution = isBack ? "CHANGED_BACK" : "CHANGED_AGAIN";
      changes.ended.push({ id: changed.differenceId, resolution, otherId: null });
    }
    if (isBack) continue;
    const id = newId(moment.now);
    changes.added.push({
      id,
      kind: "LINE_CHANGED",
      lineReference: line.lineReference,
      entryId: null,
      bankInCents: line.amountInCents,
      booksInCents: settled.amountInCents,
      day: line.day,
      differsFrom: line.day,
    });
    changes.opened.push(id);
    versions.push({ ...line, differenceId: id, wasDay: settled.day, wasKind: settled.kind });
  }
  const recorded = await writeChanges(client, moment, changes);
  await addVersions(client, moment, versions);
  return recorded;
}

/**
 * Learns what lines settle that named nothing when they were kept, since the bank did not show their object then. They are
 * compared again with it.
 * The caller holds the organization's reconciliation.
 * @returns their references
 */
export async function learnCauses(
  client: Queryable,
  { organizationId, now }: Moment,
  reported: readonly LineVersion[],
): Promise<string[]> {
  const named = reported.filter((line) => line.kind === "OTHER" || lineKey(line) !== null);
  if (named.length === 0) return [];
  const { rows } = await client.query<{ reference: string }>({
    name: "learn_causes_of_bank_lines",
    // OTHER is what a line of someone else is, and what one is whose object could not be read.
    text: `
      insert into bank_line_causes (organization_id, line_reference, kind, transfer_id, deposit_reference, read_at)
        select $1, r."lineReference", r.kind, r."transferId", r."depositReference", $2
          from jsonb_to_recordset($3) as r("lineReference" text, kind text, "transferId" uuid, "depositReference" text)
          join bank_lines l on l.organization_id = $1 and l.line_reference = r."lineReference"
         where ((${IS_UNREAD} and r.kind in (l.kind, 'OTHER'))
             or (l.kind = 'OTHER' and r.kind in ('ORDER', 'ORDER_RETURN', 'DEPOSIT_RETURN')))
           and exists (select from bank_differences d where d.organization_id = $1 and d.kind = 'MISSING_HERE'
             and d.line_reference = l.line_reference and d.state <> 'RESOLVED')
      on conflict (organization_id, line_reference) do nothing
      returning line_reference as reference`,
    values: [organizationId, now, JSON.stringify(named)],
  });
  return rows.map(({ reference }) => reference);
}

/** SQL: whether the object of a line `l` was not readable when it was kept. */
export const IS_UNREAD = `((l.kind in ('ORDER', 'ORDER_RETURN') and l.transfer_id is null)
  or (l.kind = 'DEPOSIT_RETURN' and l.deposit_reference is null))`;

/** Whether both say the same of a line. Its text and its time of day may differ: they move no money. */
function isSame(a: Compared, b: Compared): boolean {
  return a.amountInCents === b.amountInCents && a.day === b.day && !isOtherCause(a, b);
}

/**
 * Whether the bank names another cause. A cause that could not be read at one of the two times does not count: an
 * order or a return whose object did not answer names nothing, or is read as OTHER.
 */
function isOtherCause(a: Compared, b: Compared): boolean {
  const keys = [lineKey(a), lineKey(b)];
  if (a.kind === b.kind) return keys[0] !== keys[1] && !keys.includes(null);
  const isUnread = (line: Compared, other: Compared) =>
    (needsObject(line.kind) && lineKey(line) === null) || (line.kind === "OTHER" && needsObject(other.kind));
  return !isUnread(a, b) && !isUnread(b, a);
}

function needsObject(kind: BankStatementLine["kind"]): boolean {
  return kind === "ORDER" || kind === "ORDER_RETURN" || kind === "DEPOSIT_RETURN";
}

const versionOf = (
  table: string,
) => `json_build_object('lineReference', ${table}.line_reference, 'day', ${table}.day,
  'amountInCents', ${table}.amount_in_cents, 'kind', ${table}.kind, 'transferId', ${table}.transfer_id,
  'depositReference', ${table}.deposit_reference, 'cardReference', ${table}.card_reference)`;

async function readKnownLines(
  client: Queryable,
  organizationId: string,
  lines: readonly LineVersion[],
): Promise<ReadonlyMap<string, KnownLine>> {
  if (lines.length === 0) return new Map();
  const { rows } = await client.query<{
    reference: string;
    settled: Compared;
    changed: Compared | null;
    differenceId: string | null;
  }>({
    name: "read_known_bank_lines",
    // CHANGED_BACK and CHANGED_AGAIN settle nothing: the line counts as before.
    text: `
      select l.line_reference as reference, coalesce(settled.version, ${versionOf("l")}) as settled,
          changed.version as changed, changed.id as "differenceId"
        from ${KNOWN_LINES} l
        left join lateral (
          select ${versionOf("c")} as version from bank_differences d
            join bank_line_changes c on c.organization_id = $1 and c.difference_id = d.id
           where d.organization_id = $1 and d.line_reference = l.line_reference and d.kind = 'LINE_CHANGED'
             and d.resolution in ('BOOKED', 'ACCEPTED', 'MATCHED_BY_HAND', 'CANCELED_OUT')
           order by d.id desc limit 1) settled on true
        left join lateral (
          select d.id, ${versionOf("c")} as version from bank_differences d
            join bank_line_changes c on c.organization_id = $1 and c.difference_id = d.id
           where d.organization_id = $1 and d.line_reference = l.line_reference and d.kind = 'LINE_CHANGED'
             and d.state <> 'RESOLVED') changed on true
       where l.organization_id = $1 and l.line_reference = any ($2)`,
    values: [organizationId, lines.map(({ lineReference }) => lineReference)],
  });
  return new Map(
    rows.map(({ reference, settled, changed, differenceId }) => [
      reference,
      { settled, changed: changed && differenceId ? { ...changed, differenceId } : null },
    ]),
  );
}

async function addVersions(
  client: Queryable,
  { organizationId, now }: Moment,
  versions: readonly LineVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  await client.query({
    name: "add_bank_line_changes",
    text: `
      insert into bank_line_changes (organization_id, difference_id, line_reference, booked_at, day, amount_in_cents, kind,
          transfer_id, deposit_reference, card_reference, was_day, was_kind, read_at)
        select $1, r."differenceId", r."lineReference", r."bookedAt", r.day, r."amountInCents", r.kind, r."transferId",
            r."depositReference", r."cardReference", r."wasDay", r."wasKind", $2
          from jsonb_to_recordset($3) as r("differenceId" uuid, "lineReference" text, "bookedAt" timestamptz, day date,
            "amountInCents" bigint, kind text, "transferId" uuid, "depositReference" text, "cardReference" text,
            "wasDay" date, "wasKind" text)`,
    values: [organizationId, now, JSON.stringify(versions)],
  });
}

/**
 * Ends what the bank corrected on the line itself: a line that differed from its entry and, as the bank says it now, does not
 * differ from it. The two differences cancel each other out to the cent.
 * The caller holds the organization's reconciliation.
 */
export async function endCorrectedLines(client: Queryable, moment: Moment): Promise<void> {
  const { organizationId } = moment;
  const { rows } = await client.query<{
    id: string;
    otherId: string;
    entryId: string;
    was: Compared;
    changed: Compared;
  }>({
    name: "lock_corrected_bank_lines",
    text: `
      select d.id, other.id as "otherId", other.entry_id as "entryId", ${versionOf("l")} as was,
          ${versionOf("c")} as changed
        from bank_differences d
        join bank_line_changes c on c.organization_id = $1 and c.difference_id = d.id
        join ${KNOWN_LINES} l on l.organization_id = $1 and l.line_reference = d.line_reference
        join bank_differences other on other.organization_id = $1 and other.line_reference = d.line_reference
          and other.kind in ('DIFFERENT_AMOUNT', 'DIFFERENT_DATE') and other.state <> 'RESOLVED'
       where d.organization_id = $1 and d.kind = 'LINE_CHANGED' and d.state <> 'RESOLVED'
         and d.bank_in_cents - d.books_in_cents + other.bank_in_cents - other.books_in_cents = 0
       order by d.id limit ${CORRECTED_PER_PAGE} for update of d, other`,
    values: [organizationId],
  });
  const movements = new Map(
    (
      await readAll(
        client,
        organizationId,
        rows.map(({ entryId }) => entryId),
      )
    ).map((movement) => [movement.entryId, movement]),
  );
  const ended = rows
    .filter(({ entryId, was, changed }) => {
      const movement = movements.get(entryId);
      return movement && !isOtherCause(was, changed) && judge(changed, movement) === "MATCHED";
    })
    .flatMap(({ id, otherId }) => [
      { id, resolution: "CANCELED_OUT" as const, otherId },
      { id: otherId, resolution: "CANCELED_OUT" as const, otherId: id },
    ]);
  await writeChanges(client, moment, { pairs: [], added: [], postponed: [], opened: [], ended });
}
