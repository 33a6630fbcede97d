import { type Policy, type PolicyWindow, policyRequesterKindSchema } from "@/lib/contract/policies/policy";
import type { TransferDirection } from "@/lib/contract/transfer";
import { readProposalSubjects } from "@/lib/core/approvals/proposal-subjects";
import { readPolicyPeople } from "@/lib/core/policies/read-people";
import { REQUESTER_ID, REQUESTER_KIND, SUBJECT_JOINS } from "@/lib/core/shared/subject-columns";
import type { Queryable } from "@/lib/db/transaction";
import type { PastFacts, PastProposal, SeenDeciding } from "@/lib/engine/policies/backtest-policy";
import { type PolicyFacts, windowKey, windowsOf } from "@/lib/engine/policies/match-policy";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import { type PayeesAt, readPayeesAt } from "@/lib/views/policies/past-payees";
import {
  type Alias,
  type PastMove,
  type PastWindows,
  readAliases,
  readPastWindows,
  type Windowed,
} from "@/lib/views/policies/past-windows";
import { BACKTEST_DAYS, MAXIMUM_BACKTEST_PROPOSALS } from "@/lib/words/policies/backtest-words";

const DAY_MS = 86_400_000;
const MAXIMUM_DECISIONS = 20_000;

interface Row {
  id: string;
  kind: "TRANSFER" | "RULE_RUN";
  state: string;
  createdAt: Date;
  decidedAt: Date | null;
  decidedBy: string | null;
  requesterKind: string;
  requesterId: string | null;
  /** Who made the key; of an assistant, its member. */
  keyMadeBy: string | null;
  /** Of a line of a batch. */
  batchId: string | null;
  /** Its own transfer waits or was accepted, so windows count it. */
  counts: boolean;
}

/** What was proposed in the last 90 days. */
export interface PastReading extends PastFacts {
  /** Those that wait now. */
  waiting: PastProposal[];
  /** Older ones of these days were left out. */
  isCut: boolean;
  from: Date;
  /** `Operating to Taxes` and what it moves. */
  titles: ReadonlyMap<string, { words: string; amountInCents: number | null }>;
}

/**
 * The proposals of the last 90 days as these policies see them, newest first. Windows add up what was proposed before and
 * neither denied nor failed since; whether a payee was new or changed is read for the moment of each proposal, and for now of
 * those that wait. What no policy looks at is not read.
 */
export async function readPastProposals(
  database: Queryable,
  where: { organizationId: string; now: Date; timeZone: string },
  policies: readonly Policy[],
): Promise<PastReading> {
  const { organizationId, now, timeZone } = where;
  const from = new Date(now.getTime() - BACKTEST_DAYS * DAY_MS);
  const rows = await readRows(database, organizationId, from);
  const shown = rows.slice(0, MAXIMUM_BACKTEST_PROPOSALS);
  const subjects = await readProposalSubjects(
    database,
    where,
    shown.map(({ id }) => id),
  );
  const movesOf = ({ id }: Row): PastMove[] => subjects.get(id)?.moves ?? [];
  const whole = groupLines(shown);
  const outside = await readOutside(database, organizationId);
  const aliasOf = await readAliases(database, organizationId, shown);
  const windowedOf = new Map(
    whole.flatMap((lines) => {
      const destinationAccountIds = lines.flatMap(movesOf).map((move) => move.destinationAccountId);
      return lines.map((row): [string, Windowed] => [
        row.id,
        { ...row, waits: row.state === "WAITING", destinationAccountIds },
      ]);
    }),
  );
  const windows = await readPastWindows(
    database,
    [...new Map(policies.flatMap(windowsOf).map((window) => [windowKey(window), window])).values()],
    [...windowedOf.values()],
    { organizationId, outside, aliasOf },
  );
  const namesPayees = policies.some(({ rules }) => rules.some(({ when }) => when.payee !== undefined));
  const paid = shown.flatMap(movesOf).map(({ destinationAccountId }) => destinationAccountId);
  const payeesAt = await readPayeesAt(database, organizationId, namesPayees ? [...new Set(paid)] : []);
  const signaturesOf = await readPastSignatures(database, organizationId, shown);
  const around = { movesOf, outside, windows, windowedOf, payeesAt, aliasOf, signaturesOf, timeZone };
  const all = whole.map((rows) => toPast(rows, around));
  return {
    proposals: all,
    waiting: all.filter((_, at) => whole[at]?.[0].state === "WAITING"),
    decisions: await readDecisions(database, organizationId, from),
    people: await readPolicyPeople(database, organizationId),
    today: calendarDate(now, timeZone),
    isCut: rows.length > MAXIMUM_BACKTEST_PROPOSALS,
    from,
    titles: new Map(whole.flatMap((rows) => titleOf(rows, subjects))),
  };
}

/** A proposal, or the unstruck lines of a batch: at least one. */
type Whole = readonly [Row, ...Row[]];

/** Each proposal by itself, and a batch as one, at the place of its latest line. */
function groupLines(rows: readonly Row[]): Whole[] {
  const groups = new Map<string, [Row, ...Row[]]>();
  for (const row of rows) {
    const key = row.batchId ?? row.id;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].map((lines) => {
    // Before strikes were recorded, a struck line was only denied.
    const [first, ...more] = lines.filter(({ state }) => state === "APPROVED");
    return first ? [first, ...more] : lines;
  });
}

function titleOf(
  rows: Whole,
  subjects: Subjects,
): [string, { words: string; amountInCents: number | null }][] {
  const [{ id, batchId }] = rows;
  const view = subjects.get(id)?.view;
  if (!view) return [];
  if (batchId !== null) {
    const moves = rows.flatMap((row) => subjects.get(row.id)?.moves ?? []);
    return [[id, { words: `Batch of ${rows.length}`, amountInCents: sumOf(moves) }]];
  }
  const words = view.kind === "RULE_RUN" ? view.ruleName : `${view.sourceName} to ${view.destinationName}`;
  return [[id, { words, amountInCents: view.amountInCents }]];
}

async function readRows(database: Queryable, organizationId: string, from: Date): Promise<Row[]> {
  const { rows } = await database.query<Row>({
    name: "read_past_proposals",
    text: `
      with page as materialized (
        select * from proposals
         where organization_id = $1 and id >= first_id_at($2::timestamptz) and created_at >= $2 and struck_by is null
         order by id desc limit ${MAXIMUM_BACKTEST_PROPOSALS + 1})
      select p.id, p.kind, p.state, p.created_at as "createdAt", p.decided_at as "decidedAt", p.decided_by as "decidedBy",
          ${REQUESTER_KIND} as "requesterKind", ${REQUESTER_ID} as "requesterId", k.created_by as "keyMadeBy", p.batch_id as "batchId",
          coalesce(t.status in ('APPROVAL_PENDING', 'PROCESSING', 'COMPLETE', 'RETURNED'), false) as counts
        from page p ${SUBJECT_JOINS}
        left join api_keys k on k.organization_id = $1 and k.id = p.api_key_id
       order by p.id desc`,
    values: [organizationId, from],
  });
  return rows;
}

/** The accounts outside Sluice: payees, and banks elsewhere. */
async function readOutside(database: Queryable, organizationId: string): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ id: string }>({
    name: "read_outside_accounts",
    text: `select id from accounts where organization_id = $1 and type = 'EXTERNAL_ACCOUNT' limit 10000`,
    values: [organizationId],
  });
  return new Set(rows.map(({ id }) => id));
}

/** Who signed what was approved, on which day: under what the last signature bound to. Those of a batch are under its first line. */
async function readPastSignatures(
  database: Queryable,
  organizationId: string,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, PastProposal["signatures"]>> {
  const { rows: found } = await database.query<{ id: string; memberId: string; on: string }>({
    name: "read_past_signatures",
    text: `
      select asked.id, s.user_id as "memberId", s.signed_on::text as "on"
        from (
          select p.id, coalesce(head.id, p.id)::text as subject_id
            from unnest($2::uuid[]) as one (id)
            join proposals p on p.organization_id = $1 and p.id = one.id
            left join proposals head on head.organization_id = $1 and head.batch_id = p.batch_id and head.batch_line = 1) asked
       cross join lateral (
         select latest.subject_hash as hash from signatures latest
          where latest.organization_id = $1 and latest.subject_kind = 'PROPOSAL' and latest.subject_id = asked.subject_id
            and latest.withdrawn_at is null order by latest.id desc limit 1) last
        join signatures s on s.organization_id = $1 and s.subject_kind = 'PROPOSAL' and s.subject_id = asked.subject_id
          and s.withdrawn_at is null and s.subject_hash = last.hash
       order by s.id`,
    values: [organizationId, rows.filter(({ state }) => state === "APPROVED").map(({ id }) => id)],
  });
  const signatures = new Map<string, { memberId: string; on: string }[]>();
  for (const { id, ...signature } of found) {
    signatures.set(id, [...(signatures.get(id) ?? []), signature]);
  }
  return signatures;
}

type Subjects = Awaited<ReturnType<typeof readProposalSubjects>>;

interface Around {
  movesOf: (row: Row) => PastMove[];
  outside: ReadonlySet<string>;
  windows: PastWindows;
  /** By id. */
  windowedOf: ReadonlyMap<string, Windowed>;
  payeesAt: PayeesAt;
  aliasOf: (row: Row) => Alias;
  signaturesOf: ReadonlyMap<string, PastProposal["signatures"]>;
  timeZone: string;
}

function toPast(rows: Whole, around: Around): PastProposal {
  const [row] = rows;
  const { id, createdAt, decidedAt, decidedBy, batchId } = row;
  const isApproved = row.state === "APPROVED" && decidedAt !== null && decidedBy !== null;
  // A batch has one set of signatures, whichever of its lines is looked at.
  const signed = (around.signaturesOf.get(id) ?? []).filter(({ memberId }) => memberId !== decidedBy);
  return {
    id,
    facts: factsOf(rows, rows, around),
    ...(batchId !== null && { lines: rows.map((line) => factsOf([line], rows, around)) }),
    createdAt: createdAt.getTime(),
    approvedAt: isApproved ? decidedAt.getTime() : null,
    signatures: isApproved
      ? [...signed, { memberId: decidedBy, on: calendarDate(decidedAt, around.timeZone) }]
      : [],
  };
}

/** Of these lines together. @param all the lines of its batch, which no window counts beside themselves */
function factsOf(rows: Whole, all: Whole, around: Around): PolicyFacts {
  const { movesOf, outside, payeesAt, aliasOf } = around;
  const [row] = rows;
  const { requesterId } = row;
  const kind = policyRequesterKindSchema.safeParse(row.requesterKind).data ?? "RULE";
  const memberIds = [kind === "MEMBER" ? requesterId : row.keyMadeBy].filter((member) => member !== null);
  const moves = rows.flatMap(movesOf);
  const destinationAccountIds = [...new Set(moves.map(({ destinationAccountId }) => destinationAccountId))];
  return {
    kind: row.kind === "TRANSFER" ? "TRANSFER" : "RUN",
    payee: payeesAt(destinationAccountIds, row.state === "WAITING" ? null : row.createdAt),
    amountInCents: sumOf(moves),
    windowSums: (window) => windowSum(window, { row, all, moves }, around),
    sourceAccountIds: [...new Set(moves.map(({ sourceAccountId }) => sourceAccountId))],
    destinationAccountIds,
    requester: { kind, id: requesterId, replacedIds: aliasOf(row).replacedIds, memberIds },
    directions: [...new Set(moves.map((move) => directionOf(move, outside)))],
  };
}

/** With what was proposed before, and was accepted in these days or waited; of several destinations, the largest. */
function windowSum(
  window: PolicyWindow,
  { row, all, moves }: { row: Row; all: Whole; moves: readonly PastMove[] },
  { movesOf, windows, windowedOf }: Around,
): number {
  const windowed = windowedOf.get(row.id);
  if (!windowed) throw new Error(`No window was read for the proposal ${row.id}`);
  // What it moves itself is among what counts, unless it was denied or failed.
  const own = all.filter(({ counts, createdAt }) => counts && createdAt <= row.createdAt).flatMap(movesOf);
  const sumWith = (accountId: string | null, isSame: (move: PastMove) => boolean) =>
    windows.sumBefore(window, windowed, accountId) - sumOf(own.filter(isSame)) + sumOf(moves.filter(isSame));
  if (!window.by.includes("destination")) return sumWith(null, () => true);
  const sums = moves.map(({ destinationAccountId }) => {
    const name = windows.nameOf(destinationAccountId);
    return sumWith(destinationAccountId, (move) => windows.nameOf(move.destinationAccountId) === name);
  });
  return Math.max(0, ...sums);
}

function directionOf(
  { sourceAccountId, destinationAccountId }: PastMove,
  outside: ReadonlySet<string>,
): TransferDirection {
  if (outside.has(sourceAccountId)) return "MONEY_IN";
  return outside.has(destinationAccountId) ? "MONEY_OUT" : "INTERNAL";
}

const sumOf = (moves: readonly { amountInCents: number }[]) =>
  moves.reduce((sum, { amountInCents }) => sum + amountInCents, 0);

/** When someone decided a proposal, signed one or signed a policy, the latest ones. */
async function readDecisions(
  database: Queryable,
  organizationId: string,
  from: Date,
): Promise<SeenDeciding[]> {
  const { rows } = await database.query<{ memberId: string; at: Date }>({
    name: "read_past_decisions",
    text: `
      (select decided_by as "memberId", decided_at as at from proposals
        where organization_id = $1 and state <> 'WAITING' and decided_by is not null and decided_at >= $2
        order by decided_at desc limit ${MAXIMUM_DECISIONS})
      union all
      (select user_id, signed_at from signatures where organization_id = $1 and signed_at >= $2
        order by signed_at desc limit ${MAXIMUM_DECISIONS})`,
    values: [organizationId, from],
  });
  return rows.map(({ memberId, at }) => ({ memberId, at: at.getTime() }));
}
