import { PROFILE_DAYS } from "@/lib/contract/monthly-amount";
import { computeLastDays, profileQuestion } from "@/lib/core/profile/get-financial-profile";
import { type AnswerCache, answers } from "@/lib/core/profile/keep-answer";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

/** At about this many transactions, a profile takes a second. */
const BIG_FROM = 100_000;
/** Organizations whose size is checked per batch. */
const LOOKED_AT = 10;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LEASE_MS = 180_000;
const NAMES = PROFILE_DAYS.map((days) => `profile ${days}`);

type Needs = Pick<Services, "pool" | "clock" | "log">;

interface Organization {
  organizationId: string;
  clockOffsetMs: number;
}
interface Due extends Organization {
  days: number;
}

/**
 * Computes the profiles of large organizations before anyone asks, so that the first read is as fast as the next.
 * Profiles read within a week are refreshed hourly, one read when older than ten minutes is refreshed at once, others
 * daily. One at a time: each occupies the database for seconds.
 * @param bigFrom transactions that make an organization large; this and the cache are parameters for tests
 * @returns a batch that answers how many due profiles it computed
 */
export function createProfileUpkeep(
  services: Needs,
  { cache = answers, bigFrom = BIG_FROM }: { cache?: AnswerCache; bigFrom?: number } = {},
): () => Promise<number> {
  let lookedAtUntil = FIRST_ID;
  return async () => {
    const due = await leaseDue(services);
    if (due) {
      await makeReady(services, cache, due);
      return 1;
    }
    const found = await findBig(services, lookedAtUntil, bigFrom);
    lookedAtUntil = found.at(-1)?.organizationId ?? FIRST_ID;
    for (const organization of found.filter((one) => one.isBig)) {
      for (const days of PROFILE_DAYS) await makeReady(services, cache, { ...organization, days });
    }
    return 0;
  };
}

async function makeReady(services: Needs, cache: AnswerCache, due: Due): Promise<void> {
  const { organizationId, clockOffsetMs, days } = due;
  const whose = { organizationId, now: businessTime(services.clock, clockOffsetMs) };
  try {
    await cache.renew(services, profileQuestion(whose, days), () => computeLastDays(services, whose, days));
  } catch (error) {
    services.log.error({ err: error, organizationId, days }, "computing a financial profile failed");
  }
}

async function leaseDue({ pool, clock }: Needs): Promise<Due | null> {
  const { rows } = await pool.query<Due>({
    name: "lease_due_profile",
    text: `
      update kept_answers k set leased_until = $1::timestamptz + $2 * interval '1 millisecond'
        from organizations o
       where o.id = k.organization_id and (k.organization_id, k.name) = (
         select d.organization_id, d.name from kept_answers d
          where d.name = any ($3) and (d.leased_until is null or d.leased_until < $1) and (
            d.worked_out_at < $1::timestamptz - interval '20 hours'
            or d.worked_out_at < $1::timestamptz - interval '1 hour'
              and d.looked_at > $1::timestamptz - interval '7 days'
            or d.worked_out_at < $1::timestamptz - interval '10 minutes'
              and d.looked_at > d.worked_out_at + interval '10 minutes')
          order by d.worked_out_at limit 1 for update skip locked)
       returning k.organization_id as "organizationId", split_part(k.name, ' ', 2)::int as days,
         o.clock_offset_ms as "clockOffsetMs"`,
    values: [clock.now(), LEASE_MS, NAMES],
  });
  return rows[0] ?? null;
}

/** The next organizations without a cached profile, and whether they have many transactions. */
async function findBig(
  { pool }: Needs,
  after: string,
  bigFrom: number,
): Promise<(Organization & { isBig: boolean })[]> {
  const { rows } = await pool.query<Organization & { isBig: boolean }>({
    name: "find_big_organizations",
    text: `
      select o.id as "organizationId", o.clock_offset_ms as "clockOffsetMs",
          outside.count + cards.count >= $3 as "isBig"
        from (select n.id, n.clock_offset_ms from organizations n
               where n.id > $1 and not exists (
                 select from kept_answers k where k.organization_id = n.id and k.name = any ($2))
               order by n.id limit ${LOOKED_AT}) o
        cross join lateral (select count(*) from (
          select from external_transactions e where e.organization_id = o.id limit $3) counted) outside
        cross join lateral (select count(*) from (
          select from card_transactions c where c.organization_id = o.id limit $3) counted) cards
       order by o.id`,
    values: [after, NAMES, bigFrom],
  });
  return rows;
}
