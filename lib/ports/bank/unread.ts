import type { Pool } from "pg";
import { NamedError } from "@/lib/contract/error";
import type { Queryable } from "@/lib/db/transaction";
import { BankRefusesKey, BankUnavailable } from "@/lib/ports/bank/bank-port";

const FIRST_RETRY_MS = 5_000;
const MOST_RETRY_MS = 3_600_000;
/** Of one round; the rest follow in the next. */
const RETRIED_PER_ROUND = 20;
const MAXIMUM_REASON = 200;

/**
 * What the bank says about one thing cannot be read. The message is for operators: a status or the name of a field,
 * never a value of the bank's answer.
 */
export class Unreadable extends NamedError {
  static override readonly kind = "Unreadable";

  /** @param organizationId whose news it is, if that much was read */
  constructor(
    message: string,
    readonly organizationId: string | null = null,
  ) {
    super(message);
  }
}

/**
 * An object under the id that was asked for: what becomes of it is kept under that id.
 * @throws Unreadable if it names another one, or none
 */
export function asAsked<T extends { id: string }>(id: string, object: T): T {
  if (object.id !== id) throw new Unreadable("id is not as documented");
  return object;
}

/** Something that events are about. */
export interface Subject {
  /** Names it for the adapter, as `ach_transfer:<id>`. */
  about: string;
  eventId: string | null;
  /** When the first event about it happened. */
  eventAt: Date;
}

/** Sets something aside that could not be read. Repeated, it waits longer. @param retry null: its list names it again */
export async function setAside(
  database: Queryable,
  feed: string,
  { about, eventId, eventAt }: Subject,
  error: unknown,
  { now, retries = true }: { now: Date; retries?: boolean },
): Promise<void> {
  const { organizationId, reason } = explain(error);
  await database.query({
    name: "bank_set_aside",
    text: `insert into bank_unread_objects as o
               (feed, about, organization_id, event_id, event_at, reason, first_failed_at, retry_at)
             values ($1, $2, $3, $4, $5, $6, $7, case when $8 then $7::timestamptz + $9 * interval '1 millisecond' end)
           on conflict (feed, about) do update
             set reason = excluded.reason, organization_id = coalesce(excluded.organization_id, o.organization_id)`,
    values: [feed, about, organizationId, eventId, eventAt, reason, now, retries, FIRST_RETRY_MS],
  });
}

function explain(error: unknown): { organizationId: string | null; reason: string } {
  const organizationId = error instanceof Unreadable ? error.organizationId : null;
  const reason = error instanceof Error ? error.message : String(error);
  return { organizationId, reason: Array.from(reason).slice(0, MAXIMUM_REASON).join("") };
}

/** These were read. */
export async function endAside(pool: Pool, feed: string, abouts: readonly string[]): Promise<void> {
  if (abouts.length === 0) return;
  await pool.query({
    name: "bank_end_aside",
    text: "delete from bank_unread_objects where feed = $1 and about = any ($2)",
    values: [feed, abouts],
  });
}

/** What is due to be read again, the longest due first; each then waits for its next attempt. */
export async function claimRetries(pool: Pool, feed: string, now: Date): Promise<Subject[]> {
  const { rows } = await pool.query<Subject>({
    name: "bank_claim_retries",
    text: `update bank_unread_objects o set attempts = o.attempts + 1,
               retry_at = $2::timestamptz + least($4 * 2 ^ least(o.attempts, 20), $5) * interval '1 millisecond'
             from (select feed, about from bank_unread_objects where feed = $1 and retry_at <= $2
                    order by retry_at limit $3 for no key update skip locked) due
            where o.feed = due.feed and o.about = due.about
           returning o.about, o.event_id as "eventId", o.event_at as "eventAt"`,
    values: [feed, now, RETRIED_PER_ROUND, FIRST_RETRY_MS, MOST_RETRY_MS],
  });
  return rows;
}

/** So many in a row that the bank does not answer: perhaps it answers nothing. */
const OUTAGE_AFTER = 3;
/** Of one round, in which each failure may take as long as the bank is waited for. */
const MOST_PROBES = 10;

/** Tells things that cannot be read, however many, from a bank that does not answer. */
export class Strikes {
  readonly #probe: () => Promise<unknown>;
  #inRow = 0;
  #probes = 0;

  /** @param probe asks the bank something that it always answers @throws BankUnavailable */
  constructor(probe: () => Promise<unknown>) {
    this.#probe = probe;
  }

  succeeded(): void {
    this.#inRow = 0;
  }

  /**
   * Asks about one line of a statement. A line whose object does not answer is left out, so that the sum shows that
   * something is missing, and is read again with its day and, weekly, with all.
   * @returns undefined for such a line
   * @throws BankUnavailable if the bank does not answer anything else either, refuses the key or wants to be left alone
   */
  async ask<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      const answer = await ask();
      this.succeeded();
      return answer;
    } catch (error) {
      const isOfLine =
        error instanceof BankUnavailable && !(error instanceof BankRefusesKey) && error.retryAfterMs === 0;
      if (!isOfLine) throw error;
      await this.failed(error);
      return undefined;
    }
  }

  /** @throws BankUnavailable after three in a row, if the bank does not answer the probe either; or too often */
  async failed(error: unknown): Promise<void> {
    if (!(error instanceof BankUnavailable)) {
      this.#inRow = 0;
      return;
    }
    this.#inRow += 1;
    if (this.#inRow < OUTAGE_AFTER) return;
    this.#inRow = 0;
    this.#probes += 1;
    if (this.#probes > MOST_PROBES) throw error;
    await this.#probe();
  }
}
