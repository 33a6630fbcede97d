import { newMandateHref } from "@/lib/contract/hrefs";
import type { KeyFactsView } from "@/lib/contract/keys/key-facts";
import { readClosedGates } from "@/lib/core/keys/gates";
import { keyHref, readKeyFacts } from "@/lib/core/keys/key-facts";
import { readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { type Mandate, readMandates } from "@/lib/core/mandates/read-mandates";
import { readTimeZone } from "@/lib/core/organizations/read-time-zone";
import { mayDecide } from "@/lib/core/shared/permits";
import type { Queryable } from "@/lib/db/transaction";
import { type SettledUses, termsLeft } from "@/lib/engine/mandates/terms-left";
import { mostByItself, worstCase } from "@/lib/engine/mandates/worst-case";
import { calendarDate } from "@/lib/engine/schedule/calendar-day";
import type { MovesByItself } from "@/lib/views/keys/most-that-could-move";
import {
  describeMandate,
  type LevelView,
  levelsOf,
  type MandateSurroundings,
  readMandateNames,
  standingOf,
} from "@/lib/views/mandates/describe-mandate";
import type { TimedReading } from "@/lib/views/reading";
import { findPermission } from "@/lib/words/keys/key-powers";
import { accountsWords, type MandateNames } from "@/lib/words/mandates/mandate-sentence";

/** The limit that says most about how far a mandate goes: of the longest budget, or the uses. */
const MAIN_LEVELS: readonly LevelView["part"][] = [
  "MONTH",
  "THIRTY_DAYS",
  "TOTAL",
  "WEEK",
  "DAY",
  "PERIOD_USES",
  "USES",
];

function toRow(mandate: Mandate, names: MandateNames, around: MandateSurroundings) {
  const levels = levelsOf(mandate);
  return {
    ...describeMandate(mandate, names),
    standing: standingOf(mandate, around),
    level: MAIN_LEVELS.flatMap((part) => levels.find((level) => level.part === part) ?? [])[0] ?? null,
    usedInCents: mandate.used.inCents,
    useCount: mandate.used.uses,
    at: (mandate.endedAt ?? mandate.signedAt ?? mandate.createdAt).toISOString(),
  };
}

/** A key that moves everything without asking, or nothing, needs none. */
export function mayHaveMandates({
  permissions,
  state,
}: Pick<KeyFactsView, "permissions" | "state">): boolean {
  return (
    findPermission(permissions, "MANUAL_TRANSFER")?.approval.required === true && state.kind !== "REVOKED"
  );
}

/** One mandate in a list. */
export type MandateRowView = ReturnType<typeof toRow>;

/** What a key may do by itself: for its card, its sentence, and the most that it could move. */
export async function listKeyMandates(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  keyId: string,
  accounts: MandateSurroundings["accounts"],
) {
  const [all, closedGates] = await Promise.all([
    readMandates(database, { organizationId, now }, { apiKeyId: keyId }),
    readClosedGates(database, organizationId),
  ]);
  const names = await readMandateNames(
    database,
    organizationId,
    all.map(({ terms }) => terms),
  );
  const around = { now, areGatesClosed: closedGates !== null, accounts };
  const inForce = all.filter(({ state, stoppedBy }) => state === "IN_FORCE" && stoppedBy !== "OVER");
  const waiting = all.filter(({ state, isExpired }) => state === "WAITING" && !isExpired);
  // A day of the reader may touch two days of a mandate that was written in another zone.
  const timeZone = await readTimeZone(database, organizationId);
  const settled = await readSettledUses(database, organizationId, keyId);
  const left = inForce
    .map(({ id, terms, timeZone: own }) => ({
      terms: termsLeft(terms, settled.get(id) ?? { uses: 0, inCents: 0 }),
      timeZone: own,
    }))
    .filter(({ terms }) => terms.maximumUses !== 0 && terms.totalInCents !== 0);
  const worst = left.map(({ terms, timeZone: own }) => ({ terms, ...worstCase(terms, own, timeZone) }));
  return {
    inForce: inForce.map((mandate) => toRow(mandate, names, around)),
    waiting: waiting.map((mandate) => toRow(mandate, names, around)),
    /** Their terms: those that wait, too. */
    open: [...inForce, ...waiting],
    /** Ended, over, denied or expired. */
    pastCount: all.length - inForce.length - waiting.length,
    /** For its sentence; null: it moves nothing by itself. */
    sentence:
      left.length === 0
        ? null
        : {
            count: left.length,
            dayInCents: mostByItself(left, { timeZone, dailyCapInCents: null }).dayInCents,
            destinationNames: [...new Set(left.flatMap(({ terms }) => terms.destinationAccountIds))].map(
              (id) => accountsWords([id], names),
            ),
          },
    byItself: worst.map(({ terms, dayInCents }): MovesByItself => ({ ...terms, dayInCents })),
  };
}

/** Of the mandates of a key that are in force. */
async function readSettledUses(
  database: Queryable,
  organizationId: string,
  keyId: string,
): Promise<ReadonlyMap<string, SettledUses>> {
  const { rows } = await database.query<SettledUses & { id: string }>({
    name: "read_settled_uses",
    text: `
      select m.id, count(*)::int as uses, sum(t.amount_in_cents)::bigint as "inCents"
        from mandates m
        join transfers t on t.organization_id = $1 and t.mandate_id = m.id and t.status in ('COMPLETE', 'RETURNED')
       where m.organization_id = $1 and m.api_key_id = $2 and m.state = 'IN_FORCE'
       group by m.id`,
    values: [organizationId, keyId],
  });
  return new Map(rows.map(({ id, ...settled }) => [id, settled]));
}

/**
 * What the key before this one could do by itself, and this one cannot until people sign it again.
 * @param has mandates of this key that wait or are in force: as many on a route are left out
 */
export async function listMandatesToRenew(
  database: Queryable,
  { organizationId, now }: { organizationId: string; now: Date },
  { keyId, oldKeyId, has }: { keyId: string; oldKeyId: string; has: readonly Pick<Mandate, "terms">[] },
) {
  const all = await readMandates(database, { organizationId, now }, { apiKeyId: oldKeyId });
  const routeOf = ({ terms }: Pick<Mandate, "terms">) =>
    JSON.stringify([terms.sourceAccountIds.toSorted(), terms.destinationAccountIds.toSorted()]);
  const again = has.map(routeOf);
  /** Each of this key's replaces one on its route. */
  const isAgain = (mandate: Mandate) => {
    const place = again.indexOf(routeOf(mandate));
    if (place >= 0) again.splice(place, 1);
    return place >= 0;
  };
  const lost = all
    .filter(
      (mandate) =>
        (mandate.state === "IN_FORCE" || mandate.endReason === "KEY_ENDED") &&
        mandate.signedAt !== null &&
        mandate.terms.until >= calendarDate(now, mandate.timeZone),
    )
    .filter((mandate) => !isAgain(mandate));
  const names = await readMandateNames(
    database,
    organizationId,
    lost.map(({ terms }) => terms),
  );
  return lost.map((mandate) => {
    const { sourceName, destinationName, brief } = describeMandate(mandate, names);
    return {
      id: mandate.id,
      sourceName,
      destinationName,
      brief,
      href: newMandateHref(keyId, { from: mandate.id }),
    };
  });
}

/** Every mandate of a key, newest first; null if the organization has no such key. */
export async function readKeyMandatesPage({ services, context, time }: TimedReading, keyId: string) {
  const { organizationId, now } = context;
  const { pool } = services;
  const [[key], all, closedGates, accounts] = await Promise.all([
    readKeyFacts(pool, organizationId, now, { keyId }),
    readMandates(pool, { organizationId, now }, { apiKeyId: keyId }),
    readClosedGates(pool, organizationId),
    readKeyAccounts(pool, organizationId),
  ]);
  if (!key) return null;
  const names = await readMandateNames(
    pool,
    organizationId,
    all.map(({ terms }) => terms),
  );
  const around = { now, areGatesClosed: closedGates !== null, accounts };
  return {
    key: { id: key.id, name: key.name, href: keyHref(key.id), mayHave: mayHaveMandates(key) },
    rows: all.map((mandate) => toRow(mandate, names, around)),
    viewer: { canDecide: mayDecide(context.actor) },
    time,
  };
}

export type KeyMandatesPageView = NonNullable<Awaited<ReturnType<typeof readKeyMandatesPage>>>;
