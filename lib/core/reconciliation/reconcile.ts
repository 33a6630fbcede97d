import { bankingDateOf } from "@/lib/contract/banking-days";
import { listOwnBankAccounts } from "@/lib/core/ledger/own-bank-accounts";
import {
  endCorrectedLines,
  IS_UNREAD,
  learnCauses,
  recordChangedLines,
} from "@/lib/core/reconciliation/changed-lines";
import { keepLines } from "@/lib/core/reconciliation/keep-lines";
import { addUp, keepProof, nextDue } from "@/lib/core/reconciliation/proof-of-day";
import { KNOWN_LINES, readLines, readMovements } from "@/lib/core/reconciliation/read-facts";
import { compareAndRecord, type Moment, type Recorded } from "@/lib/core/reconciliation/record-findings";
import { isKeepableCursor, passPage, type Reading } from "@/lib/core/reconciliation/statement-end";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import { businessTime } from "@/lib/platform/clock";
import { newId } from "@/lib/platform/ids";
import { Outages } from "@/lib/platform/outages";
import type { Services } from "@/lib/platform/services";
import { type BankPort, BankUnavailable, MAX_STATEMENT_LINES } from "@/lib/ports/bank/bank-port";
import { type CardNetworkPort, CardNetworkUnavailable } from "@/lib/ports/cards/card-network-port";

type ReconcilingServices = Pick<Services, "pool" | "clock" | "log" | "wake">;

export interface ReconciledPorts {
  bank: BankPort;
  cards: Pick<CardNetworkPort, "notices">;
}

/** Longer than a page takes, the bank's answer included; each page renews it. */
const LEASE_MS = 120_000;
/** Pages of one turn; the next turn goes on where it stopped, so that a long statement delays no other organization. */
const PAGES_PER_TURN = 20;
const ENTRIES_PER_PAGE = 500;
const DIFFERENCES_PER_PAGE = 200;

const DAY_MS = 86_400_000;
/** How far back lines are read again: banks add lines to days that are over. */
const LINES_AGAIN_MS = 7 * DAY_MS;
/** How often all lines are read again while something is unexplained, or a line is changed or names nothing. */
const WHOLE_AGAIN_MS = 7 * DAY_MS;
/** How far back entries are looked at again: a deposit is booked as of the day on which it arrived. */
const ENTRIES_AGAIN_MS = 45 * DAY_MS;
const FIRST_LINE = new Date(0);
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** Waits for notices that are not applied yet; then compares regardless, since a notice that cannot be applied differs. */
const WAITS_MS = [2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000] as const;
/** Begins again when the sums do not fit, since money moved while it compared; then the rest is unexplained. */
const RETRIES_MS = [2_000, 10_000, 60_000] as const;
const BANK_RETRY_MS = 60_000;

interface Leased {
  organizationId: string;
  leaseToken: string;
  clockOffsetMs: number;
}

interface State {
  phase: "LINES" | "ENTRIES" | "WAITING" | "PROOF";
  waits: number;
  retries: number;
  linesFrom: Date | null;
  linesCursor: string | null;
  itemsAfter: string | null;
  reconciledAt: Date | null;
  unexplainedInCents: number | null;
  linesReadAt: Date | null;
  wholeReadAt: Date | null;
  linesMark: string | null;
  linesPages: number;
  linesIdle: number;
  /** The bank changed a line, or did not show what one settles, and nobody has resolved that. */
  hasOddLine: boolean;
}

/**
 * Reconciles the organizations that are due, each banking day after its close and when a member asks. A turn is leased and
 * reads a bounded number of pages; each page commits with its place, so that a crash or another worker goes on there.
 * @returns how many organizations had a turn.
 */
export async function reconcileDue(
  services: ReconcilingServices,
  ports: ReconciledPorts,
  limit: number,
  outages = new Outages(services, "the bank"),
): Promise<number> {
  const now = services.clock.now();
  await addMissing(services.pool, now);
  const { rows } = await services.pool.query<Leased>({
    name: "lease_reconciliations",
    text: `
      with due as (
        select r.organization_id, o.clock_offset_ms from reconciliations r join organizations o on o.id = r.organization_id
         where r.due_at <= $1::timestamptz + o.clock_offset_ms * interval '1 millisecond'
           and r.due_at <= (select latest_business_time($1))
           and (r.leased_until is null or r.leased_until <= $1)
         order by r.due_at limit $3
         for no key update of r skip locked)
      update reconciliations r set leased_until = $1::timestamptz + $2 * interval '1 millisecond',
          lease_token = ($4::uuid[])[(select count(*) from due d where d.organization_id <= r.organization_id)]
        from due where r.organization_id = due.organization_id
      returning r.organization_id as "organizationId", r.lease_token as "leaseToken",
          due.clock_offset_ms as "clockOffsetMs"`,
    values: [now, LEASE_MS, limit, Array.from({ length: limit }, () => newId(now))],
  });
  await Promise.all(rows.map((leased) => takeTurn(services, ports, leased, outages)));
  return rows.length;
}

/** Organizations are first due at the close of the day on which they are seen. */
async function addMissing(client: Queryable, now: Date): Promise<void> {
  await client.query({
    name: "add_reconciliations",
    text: `
      insert into reconciliations (organization_id, due_at)
      select o.id, $1::timestamptz + o.clock_offset_ms * interval '1 millisecond' from organizations o
       where not exists (select from reconciliations r where r.organization_id = o.id) limit 100
      on conflict do nothing`,
    values: [now],
  });
}

/** Someone else has taken the turn over. */
class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

async function takeTurn(
  services: ReconcilingServices,
  ports: ReconciledPorts,
  leased: Leased,
  outages: Outages,
): Promise<void> {
  const organizationId = leased.organizationId;
  const now = businessTime(services.clock, leased.clockOffsetMs);
  const turn = new Turn(services, ports, leased, now);
  try {
    await turn.run();
    outages.answered(organizationId);
  } catch (error) {
    if (error instanceof LeaseLost) return;
    if (error instanceof BankUnavailable || error instanceof CardNetworkUnavailable) {
      outages.failed(organizationId, now, error, { organizationId });
    } else {
      services.log.error(
        { err: error, organizationId },
        "an organization could not be reconciled; will retry",
      );
    }
    await turn.postpone(BANK_RETRY_MS);
  }
}

/** One turn of one organization. */
class Turn {
  readonly #services: ReconcilingServices;
  readonly #ports: ReconciledPorts;
  readonly #leased: Leased;
  readonly #moment: Moment;

  constructor(services: ReconcilingServices, ports: ReconciledPorts, leased: Leased, now: Date) {
    this.#services = services;
    this.#ports = ports;
    this.#leased = leased;
    this.#moment = { organizationId: leased.organizationId, now, today: bankingDateOf(now) };
  }

  async run(): Promise<void> {
    let state = await this.#read();
    if (state.linesFrom === null) {
      if (!(await this.#hasBankMoney())) {
        await this.#update("leave_reconciliation", "asked_at = null", []);
        return await this.#end(nextDue(this.#moment.now));
      }
      if (await this.#mustWait(state)) return;
      state = await this.#begin(state);
    }
    for (let page = 0; page < PAGES_PER_TURN; page += 1) {
      if (state.phase === "PROOF") return await this.#prove(state);
      state = await this.#nextPage(state);
    }
    await this.postpone(0);
  }

  async #nextPage(state: State): Promise<State> {
    if (state.phase === "LINES") return await this.#comparePageOfLines(state);
    return state.phase === "ENTRIES"
      ? await this.#comparePageOfEntries(state)
      : await this.#comparePageOfWaiting(state);
  }

  async #read(): Promise<State> {
    const { organizationId } = this.#moment;
    const { rows } = await this.#services.pool.query<State>({
      name: "read_reconciliation",
      text: `select phase, waits, retries, lines_from as "linesFrom", lines_cursor as "linesCursor",
          items_after as "itemsAfter", reconciled_at as "reconciledAt", unexplained_in_cents as "unexplainedInCents",
          lines_read_at as "linesReadAt", whole_read_at as "wholeReadAt", lines_mark as "linesMark",
          lines_pages as "linesPages", lines_idle as "linesIdle",
          exists (select from bank_differences d
            join ${KNOWN_LINES} l on l.organization_id = $1 and l.line_reference = d.line_reference
            where d.organization_id = $1 and d.state <> 'RESOLVED'
              and (d.kind = 'LINE_CHANGED' or (d.kind = 'MISSING_HERE' and ${IS_UNREAD}))) as "hasOddLine"
        from reconciliations where organization_id = $1 and lease_token = $2`,
      values: [organizationId, this.#leased.leaseToken],
    });
    if (!rows[0]) throw new LeaseLost();
    return rows[0];
  }

  /** Whether the bank can hold anything: without, asking it would open an account there. */
  async #hasBankMoney(): Promise<boolean> {
    const { rows } = await this.#services.pool.query<{ has: boolean }>({
      name: "has_bank_money",
      text: `select exists (select from accounts where organization_id = $1 and type = 'INCOME_SOURCE'
            and account_number_last4 is not null)
          or exists (select from bank_notices where organization_id = $1)
          or exists (select from card_transactions where organization_id = $1)
          or exists (select from transfers where organization_id = $1 and next_step in ('ASK', 'AWAIT')) as has`,
      values: [this.#moment.organizationId],
    });
    return rows[0]?.has === true;
  }

  /** Notices that are due and not applied would look like differences. */
  async #mustWait({ waits }: State): Promise<boolean> {
    const { organizationId, now } = this.#moment;
    const waitMs = WAITS_MS[waits];
    if (waitMs === undefined) return false;
    const asked = { organizationId, businessNow: now, limit: 1 };
    const [ofBank, ofCards] = await Promise.all([
      this.#ports.bank.notices(asked),
      this.#ports.cards.notices(asked),
    ]);
    if (ofBank.length + ofCards.length === 0) return false;
    await this.#update("wait_for_notices", "waits = waits + 1", []);
    await this.postpone(waitMs);
    return true;
  }

  async #begin(state: State): Promise<State> {
    const { now } = this.#moment;
    const before = readBefore(state, now);
    const isIncremental = before !== null;
    const from = before === null ? FIRST_LINE : new Date(before.getTime() - LINES_AGAIN_MS);
    await this.#services.pool.query({
      name: "begin_reconciliation",
      text: `update reconciliations set phase = 'LINES', lines_from = $3, lines_cursor = null, waits = 0,
          lines_mark = null, lines_pages = 0, lines_idle = 0,
          items_after = case when $4 then first_id_at($5) else $6::uuid end, begun_at = $7
        where organization_id = $1 and lease_token = $2`,
      values: [
        this.#moment.organizationId,
        this.#leased.leaseToken,
        from,
        isIncremental,
        new Date(now.getTime() - ENTRIES_AGAIN_MS),
        FIRST_ID,
        now,
      ],
    });
    return await this.#read();
  }

  async #comparePageOfLines(state: State): Promise<State> {
    const { organizationId, now } = this.#moment;
    const { linesFrom: from, linesCursor: cursor } = state;
    const page = await this.#ports.bank.statement({
      organizationId,
      podIds: await listOwnBankAccounts(this.#services.pool, organizationId),
      from: from ?? FIRST_LINE,
      cursor,
      limit: MAX_STATEMENT_LINES,
      businessNow: now,
    });
    await this.#inPage(async (client) => {
      const { added: references, again } = await keepLines(client, this.#moment, page.lines);
      const learned = await learnCauses(client, this.#moment, again);
      const lines = await readLines(client, organizationId, [...references, ...learned]);
      const recorded = await compareAndRecord(client, this.#moment, { lines, movements: [] });
      const changed = await recordChangedLines(client, this.#moment, again);
      if (changed.opened > 0) {
        this.#services.log.warn(
          { organizationId, lines: changed.opened },
          "the bank changed known lines of its statement; each is a difference",
        );
      }
      const { nextCursor, reading } = await this.#passLines(client, state, {
        nextCursor: page.nextCursor,
        newLines: references.length,
      });
      await client.query({
        name: "pass_page_of_lines",
        text: `update reconciliations set lines_cursor = $3, new_lines = new_lines + $4,
            lines_mark = $6, lines_pages = $7, lines_idle = $8,
            phase = case when $3::text is null then 'ENTRIES' else 'LINES' end,
            lines_read_at = case when $3::text is null then begun_at else lines_read_at end,
            whole_read_at = case when $3::text is null and lines_from = $5 then begun_at else whole_read_at end
          where organization_id = $1 and lease_token = $2`,
        values: [
          organizationId,
          this.#leased.leaseToken,
          nextCursor,
          references.length,
          FIRST_LINE,
          reading.mark,
          reading.pages,
          reading.idle,
        ],
      });
      return { ...recorded, opened: recorded.opened + changed.opened };
    });
    return await this.#read();
  }

  /**
   * Where the reading goes on; without a next page at the end, where the bank's list goes in a circle, and where the next page
   * cannot be named.
   */
  async #passLines(
    client: Queryable,
    state: State,
    page: { nextCursor: string | null; newLines: number },
  ): Promise<{ nextCursor: string | null; reading: Reading }> {
    const before = { mark: state.linesMark, pages: state.linesPages, idle: state.linesIdle };
    const { nextCursor, newLines } = page;
    if (nextCursor === null) return { nextCursor, reading: before };
    const { organizationId } = this.#moment;
    const reading = isKeepableCursor(nextCursor)
      ? await passPage(client, organizationId, before, { nextCursor, newLines })
      : null;
    if (reading) return { nextCursor, reading };
    this.#services.log.warn(
      { organizationId, pages: before.pages },
      isKeepableCursor(nextCursor)
        ? "the bank's statement keeps listing pages already read; it is treated as ended"
        : "the bank's statement names a next page that cannot be asked for; it is treated as ended",
    );
    return { nextCursor: null, reading: before };
  }

  async #comparePageOfEntries({ itemsAfter: after }: State): Promise<State> {
    const { organizationId } = this.#moment;
    await this.#inPage(async (client) => {
      const entryIds = await listBorderEntries(client, organizationId, after ?? FIRST_ID);
      const { open } = await readMovements(client, organizationId, { entryIds });
      const recorded = await compareAndRecord(client, this.#moment, { lines: [], movements: open });
      const last = entryIds.length === ENTRIES_PER_PAGE ? entryIds.at(-1) : undefined;
      await this.#passItems(client, last ?? null, "ENTRIES", "WAITING");
      return recorded;
    });
    return await this.#read();
  }

  /** What waits is compared again: its counterpart may have ended without a line or an entry, and days pass. */
  async #comparePageOfWaiting({ itemsAfter: after }: State): Promise<State> {
    const { organizationId } = this.#moment;
    await this.#inPage(async (client) => {
      if (after === null) await endCorrectedLines(client, this.#moment);
      const { rows } = await client.query<{
        id: string;
        lineReference: string | null;
        entryId: string | null;
      }>({
        name: "list_waiting_differences",
        text: `select id, line_reference as "lineReference", entry_id as "entryId" from bank_differences
          where organization_id = $1 and state <> 'RESOLVED' and kind in ('MISSING_HERE', 'MISSING_AT_BANK') and id > $2
          order by id limit ${DIFFERENCES_PER_PAGE}`,
        values: [organizationId, after ?? FIRST_ID],
      });
      const references = rows.flatMap(({ lineReference: reference }) => reference ?? []);
      const entryIds = rows.flatMap(({ entryId }) => entryId ?? []);
      const lines = await readLines(client, organizationId, references);
      const { open } = await readMovements(client, organizationId, { entryIds });
      const recorded = await compareAndRecord(client, this.#moment, { lines, movements: open });
      const last = rows.length === DIFFERENCES_PER_PAGE ? rows.at(-1)?.id : undefined;
      await this.#passItems(client, last ?? null, "WAITING", "PROOF");
      return recorded;
    });
    return await this.#read();
  }

  async #passItems(client: Queryable, last: string | null, phase: string, next: string): Promise<void> {
    await client.query({
      name: "pass_page_of_items",
      text: `update reconciliations set items_after = $3, phase = case when $3::uuid is null then $5 else $4 end
        where organization_id = $1 and lease_token = $2`,
      values: [this.#moment.organizationId, this.#leased.leaseToken, last, phase, next],
    });
  }

  /** One page in one transaction, if the lease is still ours. */
  async #inPage(write: (client: Queryable) => Promise<Recorded>): Promise<void> {
    const { matched, opened } = await inTransaction(this.#services.pool, async (client) => {
      await this.#lock(client);
      const recorded = await write(client);
      await client.query({
        name: "count_new_matches",
        text: "update reconciliations set new_matches = new_matches + $2 where organization_id = $1",
        values: [this.#moment.organizationId, recorded.matched],
      });
      return recorded;
    });
    if (opened > 0) this.#services.wake(SEND_NOTICES);
    const { organizationId } = this.#moment;
    this.#services.log.debug({ organizationId, matched, opened }, "a page was reconciled");
  }

  async #lock(client: Queryable): Promise<void> {
    const { rowCount } = await client.query({
      name: "lock_reconciliation",
      text: `update reconciliations set leased_until = $3
        where organization_id = $1 and lease_token = $2`,
      values: [
        this.#moment.organizationId,
        this.#leased.leaseToken,
        new Date(this.#services.clock.now().getTime() + LEASE_MS),
      ],
    });
    if (rowCount !== 1) throw new LeaseLost();
  }

  /** Adds up both sides, and keeps the proof of the day once they fit or cannot be made to. */
  async #prove({ retries }: State): Promise<void> {
    const { organizationId, now } = this.#moment;
    const podIds = await listOwnBankAccounts(this.#services.pool, organizationId);
    const balance = await this.#ports.bank.balance({ organizationId, podIds, businessNow: now });
    const retryMs = RETRIES_MS[retries];
    const isProven = await inTransaction(this.#services.pool, async (client) => {
      await this.#lock(client);
      const sums = await addUp(client, organizationId, balance.currentInCents);
      if (sums.unexplainedInCents !== 0 && retryMs !== undefined) return false;
      await keepProof(client, this.#moment, sums);
      return true;
    });
    if (isProven) return;
    await this.#update(
      "retry_reconciliation",
      "retries = retries + 1, lines_from = null, phase = 'LINES'",
      [],
    );
    await this.postpone(retryMs ?? 0);
  }

  async #update(name: string, change: string, values: unknown[]): Promise<void> {
    await this.#services.pool.query({
      name,
      text: `update reconciliations set ${change} where organization_id = $1 and lease_token = $2`,
      values: [this.#moment.organizationId, this.#leased.leaseToken, ...values],
    });
  }

  /** Ends the turn; the next one comes after this long. */
  async postpone(waitMs: number): Promise<void> {
    await this.#end(new Date(this.#moment.now.getTime() + waitMs));
  }

  async #end(dueAt: Date): Promise<void> {
    await this.#update("end_turn", "due_at = $3, leased_until = null, lease_token = null", [dueAt]);
  }
}

/**
 * When the statement was last read to its end; null: it is read from its first line, the first time, and once a week
 * while something is unexplained, or the bank may change a line back or show what it settles.
 */
function readBefore(state: State, now: Date): Date | null {
  const { unexplainedInCents: unexplained, reconciledAt, wholeReadAt: wholeAt, hasOddLine } = state;
  // Without a time of its own, from before it was kept.
  const readAt = state.linesReadAt ?? (unexplained === 0 ? reconciledAt : null);
  const isOverdue = wholeAt === null || now.getTime() - wholeAt.getTime() >= WHOLE_AGAIN_MS;
  return ((unexplained ?? 0) !== 0 || hasOddLine) && isOverdue ? null : readAt;
}

/** The next entries that cross the border of the managed accounts, in order. */
async function listBorderEntries(
  client: Queryable,
  organizationId: string,
  after: string,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: "list_border_entries",
    text: `
      select id from (
        (select e.id from entries e
          where e.organization_id = $1
            and e.debit_ledger_id = (select clearing_ledger_id from organizations where id = $1) and e.id > $2
          order by e.id limit ${ENTRIES_PER_PAGE})
        union all
        (select e.id from entries e
          where e.organization_id = $1
            and e.credit_ledger_id = (select clearing_ledger_id from organizations where id = $1) and e.id > $2
          order by e.id limit ${ENTRIES_PER_PAGE})) border
      order by id limit ${ENTRIES_PER_PAGE}`,
    values: [organizationId, after],
  });
  return rows.map(({ id }) => id);
}
