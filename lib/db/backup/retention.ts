/** How many backups to keep: of the newest, and of the newest of each day, week and month. */
export interface Retention {
  newest: number;
  days: number;
  weeks: number;
  months: number;
}

const DAY_MS = 86_400_000;
/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const DAYS_FROM_MONDAY = 3;

const PERIODS: readonly { of: keyof Retention; periodOf: (at: Date) => number }[] = [
  { of: "newest", periodOf: (at) => at.getTime() },
  { of: "days", periodOf: dayOf },
  { of: "weeks", periodOf: (at) => Math.floor((dayOf(at) + DAYS_FROM_MONDAY) / 7) },
  { of: "months", periodOf: (at) => at.getUTCFullYear() * 12 + at.getUTCMonth() },
];

/**
 * Which backups stay. Periods without a backup do not count, so that a pause in backing up removes nothing; days, weeks
 * and months are those of UTC.
 * @param backups at different times, in any order
 * @returns always with the newest one
 */
export function chooseKept<Backup extends { at: Date }>(
  backups: readonly Backup[],
  retention: Retention,
): Set<Backup> {
  const newestFirst = backups.toSorted((one, other) => other.at.getTime() - one.at.getTime());
  const kept = new Set(newestFirst.slice(0, 1));
  for (const { of, periodOf } of PERIODS) {
    const seen = new Set<number>();
    for (const backup of newestFirst) {
      const period = periodOf(backup.at);
      if (seen.has(period)) continue;
      if (seen.size >= retention[of]) break;
      seen.add(period);
      kept.add(backup);
    }
  }
  return kept;
}

function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}
