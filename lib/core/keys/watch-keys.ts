import { type KeyAlert, PROBING_REFUSALS } from "@/lib/contract/api-key";
import { MAXIMUM_WAITING_PROPOSALS } from "@/lib/contract/limits";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import { inTransaction, type Queryable } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

const PROBING_FROM = 20;

const FLOODING_FROM = MAXIMUM_WAITING_PROPOSALS / 4;

/** Up to five times the previous maximum counts as growth. */
const FAR_ABOVE = 5;

/** Below $1,000.00 nothing merits a message, however unusual. */
const WORTH_TELLING_IN_CENTS = 100_000;

/** With fewer transfers or days there is no usual amount yet. */
const KNOWN_FROM_TRANSFERS = 10;

const KNOWN_FROM_DAYS = 3;

const DAY_MS = 86_400_000;

/**
 * Checks how keys and assistants are used, ten seconds after each use, and notifies their owners of unusual use: each
 * kind at most once a day per key. It reads existing records, so it costs requests nothing.
 * @returns how many were checked.
 */
export async function watchKeys(
  services: Pick<Services, "pool" | "clock" | "wake">,
  limit: number,
): Promise<number> {
  const { looked, noted } = await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<WatchedKey>({
      name: "claim_key_watches",
      text: CLAIM,
      values: [services.clock.now(), PROBING_REFUSALS, limit],
    });
    let count = 0;
    for (const key of rows) count += await noteAlerts(client, key);
    return { looked: rows.length, noted: count };
  });
  if (noted > 0) services.wake(SEND_NOTICES);
  return looked;
}

async function noteAlerts(client: Queryable, key: WatchedKey): Promise<number> {
  const alerts = judgeKeyUse(key);
  for (const { kind, ...facts } of alerts) {
    await client.query({
      name: "note_key_alert",
      text: "select note_key_alert($1, $2, $3, $4, $5)",
      values: [key.organizationId, key.id, kind, JSON.stringify(facts), key.now],
    });
  }
  return alerts.length;
}

const CLAIM = `
  select organization_id as "organizationId", id, business_now as now, silent_since as "silentSince", refusals,
      commonest_refusal as "commonestRefusal", waiting, largest_in_cents as "largestInCents",
      day_in_cents as "dayInCents", usual_largest_in_cents as "usualLargestInCents",
      usual_day_in_cents as "usualDayInCents", usual_transfers as "usualTransfers", usual_days as "usualDays"
    from claim_key_watches($1, $2, $3)`;

interface WatchedKey extends KeyUse {
  organizationId: string;
  id: string;
}

/** How a key or an assistant is used at one moment (`claim_key_watches`). Amounts in cents. */
interface KeyUse {
  now: Date;
  /** Its last use before a silence of 45 days; null: no silence. */
  silentSince: Date | null;
  /** Refusals that suggest probing, within the last 15 minutes. */
  refusals: number;
  commonestRefusal: string | null;
  /** Its waiting proposals. */
  waiting: number;
  /** Moved without approval: its largest transfer today, and today's total. */
  largestInCents: number;
  dayInCents: number;
  /** The same within 90 days until the last check; for days only those before today. */
  usualLargestInCents: number;
  usualDayInCents: number;
  usualTransfers: number;
  usualDays: number;
}

/** What its owners should learn. Pure; each rule can be stated in one sentence. */
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
