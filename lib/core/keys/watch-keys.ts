import { type KeyAlert, PROBING_REFUSALS } from "@/lib/contract/api-key";
import { MAXIMUM_WAITING_PROPOSALS } from "@/lib/contract/limits";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const PROBING_FROM = 20;

const FLOODING_FROM = MAXIMUM_WAITING_PROPOSALS / 4;

/** Five times what was ever seen of it is no growth. */
const FAR_ABOVE = 5;

/** Below it nothing is worth a message, however unusual: $1,000.00. */
const WORTH_TELLING_IN_CENTS = 100_000;

/** With fewer transfers, or days, nothing is usual yet. */
const KNOWN_FROM_TRANSFERS = 10;

const KNOWN_FROM_DAYS = 3;

const DAY_MS = 86_400_000;

interface WatchRow {
  organization_id: string;
  id: string;
  business_now: Date;
  silent_since: Date | null;
  refusals: number;
  commonest_refusal: string | null;
  waiting: number;
  largest_in_cents: number;
  day_in_cents: number;
  usual_largest_in_cents: number;
  usual_day_in_cents: number;
  usual_transfers: number;
  usual_days: number;
}

/**
 * Looks at how keys and assistants are used, ten seconds after they were and as long as they are, and tells their owners
 * what is unusual: each kind at most once a day of a key. It rests on what is recorded anyway, so no request pays for it.
 * @returns how many were looked at.
 */
export async function watchKeys(
  services: Pick<Services, "pool" | "clock" | "wake">,
  limit: number,
): Promise<number> {
  const { looked, told } = await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<WatchRow>({
      name: "claim_key_watches",
      text: "select * from claim_key_watches($1, $2, $3)",
      values: [services.clock.now(), PROBING_REFUSALS, limit],
    });
    let count = 0;
    for (const row of rows) count += await noteAlerts(client, row);
    return { looked: rows.length, told: count };
  });
  if (told > 0) services.wake(SEND_NOTICES);
  return looked;
}

async function noteAlerts(client: Queryable, row: WatchRow): Promise<number> {
  const alerts = judgeKeyUse(toUse(row));
  for (const { kind, ...facts } of alerts) {
    await client.query({
      name: "note_key_alert",
      text: "select note_key_alert($1, $2, $3, $4, $5)",
      values: [row.organization_id, row.id, kind, JSON.stringify(facts), row.business_now],
    });
  }
  return alerts.length;
}

function toUse(row: WatchRow): KeyUse {
  return {
    now: row.business_now,
    silentSince: row.silent_since,
    refusals: row.refusals,
    commonestRefusal: row.commonest_refusal,
    waiting: row.waiting,
    largestInCents: row.largest_in_cents,
    dayInCents: row.day_in_cents,
    usualLargestInCents: row.usual_largest_in_cents,
    usualDayInCents: row.usual_day_in_cents,
    usualTransfers: row.usual_transfers,
    usualDays: row.usual_days,
  };
}

/** What is known of the use of a key or an assistant at one moment (`claim_key_watches`). Amounts in cents. */
interface KeyUse {
  now: Date;
  /** When it was last used before a silence of 45 days; null: there was none. */
  silentSince: Date | null;
  /** Refusals of those who try doors, within the last quarter of an hour. */
  refusals: number;
  commonestRefusal: string | null;
  /** Proposals of it that wait. */
  waiting: number;
  /** Of what it moved without a person: its largest transfer today, and all of today. */
  largestInCents: number;
  dayInCents: number;
  /** The same within 90 days, until it was looked at; of days only those before today. */
  usualLargestInCents: number;
  usualDayInCents: number;
  usualTransfers: number;
  usualDays: number;
}

/** What its owners should hear of. Pure; each rule is one that can be said in a sentence. */
function judgeKeyUse(use: KeyUse): KeyAlert[] {
  return [silence(use), refusals(use), amount(use), day(use), waiting(use)].filter((alert) => alert !== null);
}

function silence({ silentSince, now }: KeyUse): KeyAlert | null {
  if (silentSince === null) return null;
  const days = Math.floor((now.getTime() - silentSince.getTime()) / DAY_MS);
  return { kind: "AFTER_SILENCE", days };
}

function refusals({ refusals: count, commonestRefusal }: KeyUse): KeyAlert | null {
  if (count < PROBING_FROM || commonestRefusal === null) return null;
  return { kind: "REFUSALS", refusals: count, commonest: commonestRefusal };
}

function amount({ largestInCents, usualLargestInCents, usualTransfers }: KeyUse): KeyAlert | null {
  if (usualTransfers < KNOWN_FROM_TRANSFERS || !isFarAbove(largestInCents, usualLargestInCents)) return null;
  return { kind: "LARGE_AMOUNT", amountInCents: largestInCents, usualInCents: usualLargestInCents };
}

function day({ dayInCents, usualDayInCents, usualDays }: KeyUse): KeyAlert | null {
  if (usualDays < KNOWN_FROM_DAYS || !isFarAbove(dayInCents, usualDayInCents)) return null;
  return { kind: "LARGE_DAY", dayInCents, usualInCents: usualDayInCents };
}

function waiting({ waiting: count }: KeyUse): KeyAlert | null {
  return count < FLOODING_FROM ? null : { kind: "MANY_WAITING", waiting: count };
}

function isFarAbove(cents: number, usual: number): boolean {
  return cents >= WORTH_TELLING_IN_CENTS && cents > FAR_ABOVE * usual;
}
