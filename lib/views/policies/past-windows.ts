import {
  MAXIMUM_EXPIRY_HOURS,
  MAXIMUM_POLICY_WINDOW_DAYS,
  type PolicyWindow,
  policyRequesterKindSchema,
} from "@/lib/contract/policies/policy";
import { readSameDestinations, type SameDestinations } from "@/lib/core/policies/same-destinations";
import type { Queryable } from "@/lib/db/transaction";

const DAY_MS = 86_400_000;
/** The longest window, and the longest that something waited before it was accepted in it. */
const REACHES_BACK_MS = MAXIMUM_POLICY_WINDOW_DAYS * DAY_MS + MAXIMUM_EXPIRY_HOURS * 3_600_000;
/** Transfers that windows add up, newest first. */
const MAXIMUM_WINDOW_MOVES = 20_000;

/** What a proposal moved or would move. */
export interface PastMove {
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
  at: Date;
}

interface WindowMove extends PastMove {
  id: string;
  /** Whose move it is: who proposed it, and who started its run. */
  requesterIds: string[];
  /** Null: it waits. */
  acceptedAt: Date | null;
}

/**
 * @param from since when proposals are looked at
 * @param outside the accounts outside Sluice
 */
export async function readPastWindows(
  database: Queryable,
  organizationId: string,
  from: Date,
  outside: ReadonlySet<string>,
): Promise<PastWindows> {
  const { rows } = await database.query<WindowMove>({
    name: "read_window_moves",
    text: `
      select t.id, array_remove(array[t.proposed_by_id, e.started_by_id], null) as "requesterIds",
          t.source_account_id as "sourceAccountId", t.destination_account_id as "destinationAccountId",
          t.amount_in_cents as "amountInCents", t.created_at as at, t.accepted_at as "acceptedAt"
        from transfers t
        left join rule_executions e on e.organization_id = $1 and e.id = t.rule_execution_id
       where t.organization_id = $1 and t.id >= first_id_at($2::timestamptz) and t.execution_mode = 'LIVE'
         and t.source_account_id is not null and t.destination_account_id is not null
         and t.status in ('APPROVAL_PENDING', 'PROCESSING', 'COMPLETE', 'RETURNED')
       order by t.id desc limit ${MAXIMUM_WINDOW_MOVES}`,
    values: [organizationId, new Date(from.getTime() - REACHES_BACK_MS)],
  });
  const { nameOf } = await readSameDestinations(database, organizationId, [...outside]);
  return {
    nameOf,
    byDestination: groupBy(rows, ({ destinationAccountId }) => [nameOf(destinationAccountId)]),
    byRequester: groupBy(rows, ({ requesterIds }) => requesterIds),
  };
}

function groupBy(
  moves: readonly WindowMove[],
  keysOf: (move: WindowMove) => readonly string[],
): Map<string, WindowMove[]> {
  const groups = new Map<string, WindowMove[]>();
  for (const move of moves) {
    for (const key of new Set(keysOf(move))) {
      const group = groups.get(key);
      if (group) group.push(move);
      else groups.set(key, [move]);
    }
  }
  return groups;
}

/** So that a window looks at few of them. */
export interface PastWindows extends Pick<SameDestinations, "nameOf"> {
  /** As `nameOf` names it. */
  byDestination: ReadonlyMap<string, WindowMove[]>;
  byRequester: ReadonlyMap<string, WindowMove[]>;
}

/** Of one requester: whose moves count in its windows, and the keys that it replaced. */
export interface Alias {
  sameIds: ReadonlySet<string>;
  replacedIds: readonly string[];
}

interface Requested {
  requesterKind: string;
  requesterId: string | null;
}

/** For each requester of these proposals, as windows and rules see it (`same_requesters`, `replaced_keys`). */
export async function readAliases(
  database: Queryable,
  organizationId: string,
  rows: readonly Requested[],
): Promise<(row: Requested) => Alias> {
  const requesters = new Map(
    rows.flatMap(({ requesterKind, requesterId }) =>
      requesterId === null
        ? []
        : [[requesterId, policyRequesterKindSchema.safeParse(requesterKind).data ?? "RULE"] as const],
    ),
  );
  const { rows: found } = await database.query<{ id: string; sameIds: string[]; replacedIds: string[] }>({
    name: "read_past_requesters",
    text: `
      select asked.id, array(select same_requesters($1, asked.kind, asked.id)) as "sameIds",
          array_remove(array(select replaced_keys($1, array[asked.id])), asked.id) as "replacedIds"
        from unnest($2::uuid[], $3::text[]) as asked (id, kind)`,
    values: [organizationId, [...requesters.keys()], [...requesters.values()]],
  });
  const aliases = new Map(
    found.map(({ id, sameIds, replacedIds }) => [id, { sameIds: new Set(sameIds), replacedIds }]),
  );
  const nobody: Alias = { sameIds: new Set(), replacedIds: [] };
  return ({ requesterId }) => aliases.get(requesterId ?? "") ?? nobody;
}

interface Counting {
  /** When it was proposed. */
  at: Date;
  /** Its own lines, which no window counts beside themselves. */
  own: readonly string[];
  moves: readonly PastMove[];
  windows: PastWindows;
  sameIds: ReadonlySet<string>;
}

/** With what was proposed before, and was accepted in these days or waited; of several destinations, the largest. */
export function windowSum(
  { days, by }: PolicyWindow,
  { at, own, moves, windows, sameIds }: Counting,
): number {
  const until = at.getTime();
  const since = until - days * DAY_MS;
  const isBefore = (move: WindowMove) =>
    !own.includes(move.id) &&
    move.at.getTime() <= until &&
    (move.acceptedAt === null || move.acceptedAt.getTime() > since);
  if (!by.includes("destination")) {
    const before = new Set([...sameIds].flatMap((id) => windows.byRequester.get(id) ?? []));
    return sumOf([...before].filter(isBefore)) + sumOf(moves);
  }
  const ofRequester = (move: WindowMove) =>
    !by.includes("requester") || move.requesterIds.some((id) => sameIds.has(id));
  const destinationOf = ({ destinationAccountId }: PastMove) => windows.nameOf(destinationAccountId);
  const sums = [...new Set(moves.map(destinationOf))].map((name) => {
    const before = (windows.byDestination.get(name) ?? []).filter(
      (move) => isBefore(move) && ofRequester(move),
    );
    return sumOf(before) + sumOf(moves.filter((move) => destinationOf(move) === name));
  });
  return Math.max(0, ...sums);
}

const sumOf = (moves: readonly { amountInCents: number }[]) =>
  moves.reduce((sum, { amountInCents }) => sum + amountInCents, 0);
