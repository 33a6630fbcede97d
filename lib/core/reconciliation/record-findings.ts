import type { DifferenceKind } from "@/lib/contract/reconciliation";
import {
  type ComparedLine,
  type ComparedMovement,
  compare,
  type Finding,
} from "@/lib/core/reconciliation/compare";
import { readMovements, readOrders, readWaitingLines } from "@/lib/core/reconciliation/read-facts";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";

export interface Moment {
  organizationId: string;
  /** Business time. */
  now: Date;
  /** The date of `now` in New York: what settlement explains ends with a day. */
  today: string;
}

interface Items {
  lines: readonly ComparedLine[];
  movements: readonly ComparedMovement[];
}

/** How many lines and entries became pairs, and how many differences need a person from now on. */
export interface Recorded {
  matched: number;
  opened: number;
}

/**
 * Compares these lines and entries with each other and with everything of their causes that still waits, and records
 * what follows: pairs, differences, and differences that have ended. Repeating it changes nothing.
 * The caller holds the organization's reconciliation.
 */
export async function compareAndRecord(client: Queryable, moment: Moment, items: Items): Promise<Recorded> {
  const { organizationId } = moment;
  const given = keysOf([...items.lines, ...items.movements]);
  const waiting = await readWaitingLines(client, organizationId, given);
  const lines = distinct([...items.lines, ...waiting], ({ reference }) => reference);
  const known = await readMovements(client, organizationId, { keys: keysOf(lines) });
  const movements = distinct([...items.movements, ...known.open], ({ entryId }) => entryId);
  const orders = await readOrders(client, organizationId, keysOf(lines));
  const findings = compare(lines, movements, { taken: known.taken, ...orders });
  return await record(client, moment, findings);
}

function keysOf(items: readonly { key: string | null }[]): string[] {
  return [...new Set(items.flatMap(({ key }) => (key === null ? [] : [key])))];
}

function distinct<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()];
}

type Side =
  | { line: ComparedLine; movement?: ComparedMovement }
  | { line?: undefined; movement: ComparedMovement };

interface Unresolved {
  id: string;
  lineReference: string | null;
  entryId: string | null;
  state: "EXPECTED" | "OPEN";
  differsFrom: string;
}

/** What to write, a statement for each kind. */
export interface Changes {
  pairs: { lineReference: string; entryId: string }[];
  added: NewDifference[];
  postponed: { id: string; differsFrom: string }[];
  opened: string[];
  ended: {
    id: string;
    resolution: "ARRIVED" | "CANCELED_OUT" | "CHANGED_BACK" | "CHANGED_AGAIN";
    otherId: string | null;
  }[];
}

export interface NewDifference {
  id: string;
  kind: DifferenceKind;
  lineReference: string | null;
  entryId: string | null;
  bankInCents: number;
  booksInCents: number;
  day: string;
  differsFrom: string;
}

async function record(client: Queryable, moment: Moment, findings: readonly Finding[]): Promise<Recorded> {
  const unresolved = await lockUnresolved(client, moment.organizationId, findings);
  return await writeChanges(client, moment, planChanges(moment, findings, unresolved));
}

/** The caller holds the organization's reconciliation. */
export async function writeChanges(client: Queryable, moment: Moment, changes: Changes): Promise<Recorded> {
  const namesAdded = ({ resolution }: Changes["ended"][number]) => resolution === "CANCELED_OUT";
  await writePairs(client, moment, changes.pairs);
  await endDifferences(
    client,
    moment,
    changes.ended.filter((one) => !namesAdded(one)),
  );
  await addDifferences(client, moment, changes.added);
  await endDifferences(client, moment, changes.ended.filter(namesAdded));
  await postpone(client, moment, changes.postponed);
  await openDifferences(client, moment, changes.opened);
  return { matched: changes.pairs.length, opened: changes.opened.length };
}

function planChanges(
  moment: Moment,
  findings: readonly Finding[],
  unresolved: readonly Unresolved[],
): Changes {
  const byLine = new Map(unresolved.map((row) => [row.lineReference, row]));
  const byEntry = new Map(unresolved.map((row) => [row.entryId, row]));
  const changes: Changes = { pairs: [], added: [], postponed: [], opened: [], ended: [] };
  const add = (kind: NewDifference["kind"], { line, movement }: Side, differsFrom: string): string => {
    const id = newId(moment.now);
    changes.added.push({
      id,
      kind,
      lineReference: line?.reference ?? null,
      entryId: movement?.entryId ?? null,
      bankInCents: line?.amountInCents ?? 0,
      booksInCents: movement?.amountInCents ?? 0,
      day: line?.day ?? movement?.day ?? moment.today,
      differsFrom,
    });
    return id;
  };
  /** Keeps something that has no counterpart, until it differs. */
  const miss = (kind: "MISSING_HERE" | "MISSING_AT_BANK", side: Side, differsFrom: string) => {
    const known = side.line ? byLine.get(side.line.reference) : byEntry.get(side.movement.entryId);
    const id = known?.id ?? add(kind, side, differsFrom);
    if (known?.state === "OPEN") return;
    // What nothing explains differs at once, also in the evening, when the bank books on the next banking day already.
    const isExplained = differsFrom !== side.line?.day;
    if (!isExplained || moment.today >= differsFrom) changes.opened.push(id);
    else if (known && known.differsFrom !== differsFrom) {
      changes.postponed.push({ id, differsFrom });
    }
  };
  for (const finding of findings) {
    switch (finding.kind) {
      case "MISSING_HERE":
        miss(finding.kind, { line: finding.line }, finding.differsFrom);
        break;
      case "MISSING_AT_BANK":
        miss(finding.kind, { movement: finding.movement }, finding.differsFrom);
        break;
      case "CANCELED_OUT": {
        const [there, back] = [finding.line, finding.canceledBy].map(
          (line) => byLine.get(line.reference)?.id ?? add("MISSING_HERE", { line }, line.day),
        );
        if (there === undefined || back === undefined) break;
        changes.ended.push({ id: there, resolution: "CANCELED_OUT", otherId: back });
        changes.ended.push({ id: back, resolution: "CANCELED_OUT", otherId: there });
        break;
      }
      default: {
        const { kind, line, movement } = finding;
        changes.pairs.push({ lineReference: line.reference, entryId: movement.entryId });
        for (const known of [byLine.get(line.reference), byEntry.get(movement.entryId)]) {
          if (known) changes.ended.push({ id: known.id, resolution: "ARRIVED", otherId: null });
        }
        if (kind !== "MATCHED") changes.opened.push(add(kind, { line, movement }, line.day));
      }
    }
  }
  return changes;
}

/** Locked, so that what a member resolves meanwhile is either seen here or waits for this. */
async function lockUnresolved(
  client: Queryable,
  organizationId: string,
  findings: readonly Finding[],
): Promise<Unresolved[]> {
  const lines = findings.flatMap((finding) =>
    finding.kind === "CANCELED_OUT"
      ? [finding.line.reference, finding.canceledBy.reference]
      : "line" in finding
        ? [finding.line.reference]
        : [],
  );
  const entries = findings.flatMap((finding) => ("movement" in finding ? [finding.movement.entryId] : []));
  const { rows } = await client.query<Unresolved>({
    name: "lock_unresolved_differences",
    text: `select id, line_reference as "lineReference", entry_id as "entryId", state,
        differs_from::text as "differsFrom" from bank_differences
      where organization_id = $1 and state <> 'RESOLVED' and kind <> 'LINE_CHANGED'
        and (line_reference = any ($2) or entry_id = any ($3::uuid[]))
      order by id for update`,
    values: [organizationId, lines, entries],
  });
  return rows;
}

async function writePairs(
  client: Queryable,
  { organizationId, now }: Moment,
  pairs: Changes["pairs"],
): Promise<void> {
  if (pairs.length === 0) return;
  await client.query({
    name: "write_bank_matches",
    text: `insert into bank_matches (organization_id, line_reference, entry_id, matched_at)
      select $1, p."lineReference", p."entryId", $2
        from jsonb_to_recordset($3) as p("lineReference" text, "entryId" uuid)`,
    values: [organizationId, now, JSON.stringify(pairs)],
  });
}

async function addDifferences(
  client: Queryable,
  { organizationId, now }: Moment,
  added: Changes["added"],
): Promise<void> {
  if (added.length === 0) return;
  await client.query({
    name: "add_bank_differences",
    text: `insert into bank_differences (organization_id, id, kind, line_reference, entry_id, bank_in_cents,
        books_in_cents, day, differs_from, found_at, state)
      select $1, a.id, a.kind, a."lineReference", a."entryId", a."bankInCents", a."booksInCents", a.day,
          a."differsFrom",
          $2, 'EXPECTED'
        from jsonb_to_recordset($3) as a(id uuid, kind text, "lineReference" text, "entryId" uuid, "bankInCents" bigint,
          "booksInCents" bigint, day date, "differsFrom" date)`,
    values: [organizationId, now, JSON.stringify(added)],
  });
}

async function endDifferences(
  client: Queryable,
  { organizationId, now }: Moment,
  ended: Changes["ended"],
): Promise<void> {
  if (ended.length === 0) return;
  const rows = ended.map((row) => ({ ...row, eventId: newId(now) }));
  await client.query({
    name: "end_bank_differences",
    text: `with ended as (
        select * from jsonb_to_recordset($3) as r(id uuid, resolution text, "otherId" uuid, "eventId" uuid)),
      resolved as (
        update bank_differences d set state = 'RESOLVED', resolution = r.resolution, resolved_at = $2
          from ended r where d.organization_id = $1 and d.id = r.id)
      insert into bank_difference_events (organization_id, id, difference_id, kind, at, other_id)
        select $1, r."eventId", r.id, r.resolution, $2, r."otherId" from ended r`,
    values: [organizationId, now, JSON.stringify(rows)],
  });
}

/** An order is now expected later, or a line explained longer. */
async function postpone(
  client: Queryable,
  { organizationId }: Moment,
  postponed: Changes["postponed"],
): Promise<void> {
  if (postponed.length === 0) return;
  await client.query({
    name: "postpone_bank_differences",
    text: `update bank_differences d set differs_from = r."differsFrom"
      from jsonb_to_recordset($2) as r(id uuid, "differsFrom" date)
      where d.organization_id = $1 and d.id = r.id and d.state = 'EXPECTED'`,
    values: [organizationId, JSON.stringify(postponed)],
  });
}

/** From now on these need a person: owners and co-owners are notified, once for each. */
async function openDifferences(
  client: Queryable,
  { organizationId, now }: Moment,
  opened: Changes["opened"],
): Promise<void> {
  if (opened.length === 0) return;
  const rows = opened.map((id) => ({ id, eventId: newId(now), noticeId: newId(now) }));
  await client.query({
    name: "open_bank_differences",
    text: `with given as (select * from jsonb_to_recordset($3) as r(id uuid, "eventId" uuid, "noticeId" uuid)),
      opened as (
        update bank_differences d set state = 'OPEN', opened_at = $2
          from given r where d.organization_id = $1 and d.id = r.id and d.state = 'EXPECTED'
        returning d.id, r."eventId", r."noticeId"),
      noted as (
        insert into bank_difference_events (organization_id, id, difference_id, kind, at)
          select $1, o."eventId", o.id, 'OPENED', $2 from opened o)
      insert into notices (organization_id, id, kind, subject_id, api_key_id, created_at, due_at)
        select $1, o."noticeId", 'BANK_DIFFERENCE', o.id, $1, $2, $2 from opened o`,
    values: [organizationId, now, JSON.stringify(rows)],
  });
}
