import type { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type {
  acceptDateSchema,
  askedBankSchema,
  bookLineSchema,
  DifferenceKind,
  DifferenceResolution,
  matchDifferencesSchema,
} from "@/lib/contract/reconciliation";
import { IS_FOREIGN_ORDER, isBookable } from "@/lib/core/reconciliation/foreign-orders";
import { KNOWN_LINES } from "@/lib/core/reconciliation/read-facts";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { DELIVER_EVENTS, RECONCILE, RUN_RULES } from "@/lib/core/shared/work-names";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { recordDeposit } from "@/lib/core/transfers/collect-bank-notices";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

type WorkingServices = Pick<Services, "pool" | "clock" | "wake">;

/**
 * Has the organization reconciled now. Harmless to repeat: a reconciliation in progress goes on,
 * and another follows it.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks.
 */
export async function askReconciliation(
  services: Pick<Services, "pool" | "wake">,
  context: Context<MemberActor>,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "reconcile");
    await client.query({
      name: "ask_reconciliation",
      text: `insert into reconciliations (organization_id, due_at, asked_at) values ($1, $2, $2)
        on conflict (organization_id) do update set due_at = least(reconciliations.due_at, excluded.due_at),
          asked_at = excluded.asked_at`,
      values: [context.organizationId, context.now],
    });
  });
  services.wake(RECONCILE);
}

/**
 * Notes that the bank was asked about a difference, which stays open.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when it is not open.
 */
export async function noteBankAsked(
  services: WorkingServices,
  context: Context<MemberActor>,
  { differenceId, note }: z.output<typeof askedBankSchema>,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "resolve a difference");
    await lockOpen(client, context, [differenceId]);
    await client.query({
      name: "note_bank_asked",
      text: "update bank_differences set asked_bank_at = $3 where organization_id = $1 and id = $2",
      values: [context.organizationId, differenceId, context.now],
    });
    await recordEvent(client, context, { differenceId, kind: "ASKED_BANK", note });
  });
}

/**
 * Matches two open differences that cancel each other out to the cent: a line and an entry that the bank reported under
 * another reference, or a wrong line and its correction. Both keep their history.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when one is not open, or
 * something remains.
 */
export async function matchDifferences(
  services: WorkingServices,
  context: Context<MemberActor>,
  { differenceId, otherId, note }: z.output<typeof matchDifferencesSchema>,
): Promise<void> {
  if (differenceId === otherId)
    throw new AppError("INVALID_PARAMETERS", "Choose another difference to match.");
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "resolve a difference");
    const both = await lockOpen(client, context, [differenceId, otherId]);
    const restInCents = both.reduce(
      (sum, { bankInCents, booksInCents }) => sum + bankInCents - booksInCents,
      0,
    );
    if (restInCents !== 0) {
      throw new AppError(
        "INVALID_PARAMETERS",
        "These two do not cancel each other out. Nothing was changed. Match differences whose amounts add up to zero.",
      );
    }
    if (both.some(({ bankInCents, booksInCents }) => bankInCents === booksInCents)) {
      throw new AppError(
        "INVALID_PARAMETERS",
        "The amounts agree. Nothing was changed. Accept what differs instead.",
      );
    }
    for (const [id, other] of [
      [differenceId, otherId],
      [otherId, differenceId],
    ] as const) {
      await resolve(client, context, id, "MATCHED_BY_HAND");
      await recordEvent(client, context, { differenceId: id, kind: "MATCHED_BY_HAND", note, otherId: other });
    }
  });
}

/**
 * Accepts that bank and books date the same money differently, or that the bank changed a line but not its amount.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when it is not open, or the
 * amounts differ.
 */
export async function acceptDate(
  services: WorkingServices,
  context: Context<MemberActor>,
  { differenceId, note }: z.output<typeof acceptDateSchema>,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "resolve a difference");
    const [difference] = await lockOpen(client, context, [differenceId]);
    if (difference?.bankInCents !== difference?.booksInCents) {
      throw new AppError("INVALID_PARAMETERS", "More than the date differs. Nothing was changed.");
    }
    await resolve(client, context, differenceId, "ACCEPTED");
    await recordEvent(client, context, { differenceId, kind: "ACCEPTED", note });
  });
}

/**
 * Books a fee, interest, another program's order or anything else that Sluice did not order, from or to the account that the
 * member chooses; of a line that the bank changed, what it is more or less than before.
 * Not a proposal: the bank has moved the money already, so there is nothing to approve, hold, deny or send, only to say
 * whose it is. The member confirms that it is them, and the history keeps who did it.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` when it is not open, not
 * bookable, or the account cannot bear it. NotConfirmed without presence.
 */
export async function bookLine(
  services: WorkingServices,
  context: Context<MemberActor>,
  { differenceId, accountId }: z.output<typeof bookLineSchema>,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "book what the bank booked");
    const act = `BOOK_BANK_LINE:${differenceId}:${accountId}` as const;
    await requirePresence(client, context.actor, services.clock.now(), act);
    const [difference] = await lockOpen(client, context, [differenceId]);
    if (difference?.isLineUnresolved) {
      throw new AppError(
        "INVALID_PARAMETERS",
        "The line itself is not resolved yet. Nothing was changed. Resolve its other difference first.",
      );
    }
    if (!difference?.line || !isBookable(difference.line)) {
      throw new AppError(
        "INVALID_PARAMETERS",
        "Only what Sluice did not order can be booked here. Nothing was changed. Ask the bank about this line.",
      );
    }
    const transferId = await bookFor(client, context, difference.line, accountId);
    // What was booked for a change has no line of its own: the difference's history keeps the two together.
    if (difference.kind === "MISSING_HERE") {
      await matchBooked(client, context, difference.line.reference, transferId);
    }
    await resolve(client, context, differenceId, "BOOKED");
    await recordEvent(client, context, { differenceId, kind: "BOOKED", note: null, transferId });
  });
  services.wake(RUN_RULES);
  services.wake(DELIVER_EVENTS);
}

interface BookedLine {
  reference: string;
  kind: string;
  isForeign: boolean;
  amountInCents: number;
  description: string;
}

const CHARGE_NAME = { FEE: "Bank fee", INTEREST: "Bank interest" } as const;

function counterpartyOf({ kind, description }: BookedLine): string {
  const name = kind === "FEE" || kind === "INTEREST" ? CHARGE_NAME[kind] : "Bank";
  return description === "" || description === name ? name : `${name}: ${description}`.slice(0, 200);
}

/** @returns the transfer's id */
async function bookFor(
  client: Queryable,
  context: Context<MemberActor>,
  line: BookedLine,
  accountId: string,
): Promise<string> {
  const { organizationId, now } = context;
  await requireManaged(client, organizationId, accountId);
  const counterparty = counterpartyOf(line);
  if (line.amountInCents > 0) {
    const id = await recordDeposit(
      { pool: client },
      {
        organizationId,
        reference: line.reference,
        accountId,
        amountInCents: line.amountInCents,
        origin: "DIRECT_DEPOSIT",
        rail: "BOOK",
        payerName: counterparty,
        arrivedAt: now,
      },
    );
    if (id === null) throw bookedBefore();
    return id;
  }
  const id = newId(now);
  const { rows } = await client.query<{ outcome: "BOOKED" | "KNOWN" | "NO_ACCOUNT" | "INSUFFICIENT_FUNDS" }>({
    name: "record_bank_charge",
    text: "select record_bank_charge($1) as outcome",
    values: [
      JSON.stringify({
        organizationId,
        transferId: id,
        entryId: newId(now),
        reference: line.reference,
        accountId,
        amountInCents: -line.amountInCents,
        counterpartyName: counterparty,
        userId: context.actor.id,
        userName: context.actor.name,
        now,
      }),
    ],
  });
  switch (rows[0]?.outcome) {
    case "BOOKED":
      return id;
    case "INSUFFICIENT_FUNDS":
      throw wrongAccount("has too little money available for this; choose another account");
    case "NO_ACCOUNT":
      throw wrongAccount(CLOSED);
    default:
      throw bookedBefore();
  }
}

const CLOSED = "must be one of your open pods or income sources";

async function requireManaged(client: Queryable, organizationId: string, accountId: string): Promise<void> {
  const { rowCount } = await client.query({
    name: "require_managed_account",
    text: `select from accounts where organization_id = $1 and id = $2 and type in ('POD', 'INCOME_SOURCE')
      and deleted_at is null`,
    values: [organizationId, accountId],
  });
  if (rowCount !== 1) throw wrongAccount(CLOSED);
}

function wrongAccount(message: string): AppError {
  return new AppError("INVALID_PARAMETERS", `The account ${message}. Nothing was changed.`, [
    { field: "accountId", message },
  ]);
}

function bookedBefore(): AppError {
  return new AppError(
    "INVALID_PARAMETERS",
    "This was booked before under the bank's reference. Nothing was changed. Reconcile again.",
  );
}

/** The new entry belongs to the line, so the next reconciliation finds both settled. */
async function matchBooked(
  client: Queryable,
  { organizationId, now }: Context,
  reference: string,
  transferId: string,
): Promise<void> {
  const { rowCount } = await client.query({
    name: "match_booked_line",
    text: `insert into bank_matches (organization_id, line_reference, entry_id, matched_at)
      select $1, $2, e.id, $4 from entries e where e.organization_id = $1 and e.transfer_id = $3 and e.kind = 'TRANSFER'`,
    values: [organizationId, reference, transferId, now],
  });
  if (rowCount !== 1) throw new Error("What was booked for a line of the bank has no entry");
}

interface OpenDifference {
  id: string;
  kind: DifferenceKind;
  bankInCents: number;
  booksInCents: number;
  /** What can be booked: a line without an entry, or what the bank changed of one. */
  line: BookedLine | null;
  /** Of a changed line: the line as it was kept has a difference too, which may still end by itself. */
  isLineUnresolved: boolean;
}

/**
 * Locks the reconciliation FOR SHARE, so that a page of it either has ended or sees what is resolved here: between its
 * reading and its writing it would record the same difference again. Then the differences in id order, so that of two
 * members the second one finds it resolved.
 */
async function lockOpen(
  client: Queryable,
  { organizationId }: Context,
  ids: readonly string[],
): Promise<OpenDifference[]> {
  await client.query({
    name: "wait_for_page_of_reconciliation",
    text: "select from reconciliations where organization_id = $1 for share",
    values: [organizationId],
  });
  const { rows } = await client.query<OpenDifference>({
    name: "lock_open_differences",
    text: `select d.id, d.kind, d.bank_in_cents as "bankInCents", d.books_in_cents as "booksInCents",
        case
          when d.kind = 'MISSING_HERE' then json_build_object(
            'reference', l.line_reference, 'kind', l.kind, 'isForeign', ${IS_FOREIGN_ORDER},
            'amountInCents', l.amount_in_cents, 'description', l.description)
          when d.kind = 'LINE_CHANGED' and d.bank_in_cents <> d.books_in_cents then json_build_object(
            'reference', 'change:' || d.id, 'kind', 'OTHER', 'isForeign', false,
            'amountInCents', d.bank_in_cents - d.books_in_cents, 'description', l.description) end as line,
        d.kind = 'LINE_CHANGED' and exists (select from bank_differences other where other.organization_id = $1
          and other.line_reference = d.line_reference and other.id <> d.id and other.state <> 'RESOLVED')
          as "isLineUnresolved"
      from bank_differences d
      left join ${KNOWN_LINES} l on l.organization_id = $1 and l.line_reference = d.line_reference
     where d.organization_id = $1 and d.id = any ($2::uuid[]) and d.state = 'OPEN'
     order by d.id for update of d`,
    values: [organizationId, ids],
  });
  if (rows.length !== ids.length) {
    throw new AppError(
      "INVALID_PARAMETERS",
      "This difference is no longer open. Nothing was changed. Reload the page.",
    );
  }
  return rows;
}

async function resolve(
  client: Queryable,
  { organizationId, now }: Context,
  differenceId: string,
  resolution: DifferenceResolution,
): Promise<void> {
  await client.query({
    name: "resolve_difference",
    text: `update bank_differences set state = 'RESOLVED', resolution = $3, resolved_at = $4
      where organization_id = $1 and id = $2`,
    values: [organizationId, differenceId, resolution, now],
  });
}

async function recordEvent(
  client: Queryable,
  { organizationId, actor, now }: Context<MemberActor>,
  event: {
    differenceId: string;
    kind: "ASKED_BANK" | "MATCHED_BY_HAND" | "BOOKED" | "ACCEPTED";
    note: string | null;
    transferId?: string;
    otherId?: string;
  },
): Promise<void> {
  await client.query({
    name: "record_difference_event",
    text: `insert into bank_difference_events (organization_id, id, difference_id, kind, by_id, by_name, at, note,
        transfer_id, other_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      organizationId,
      newId(now),
      event.differenceId,
      event.kind,
      actor.id,
      actor.name,
      now,
      event.note,
      event.transferId ?? null,
      event.otherId ?? null,
    ],
  });
}
