import { PROFILE_DAYS } from "@/lib/contract/views/profile-view";
import { computeLastDays, profileQuestion } from "@/lib/core/profile/get-financial-profile";
import { type AnswerKeeper, answers } from "@/lib/core/profile/keep-answer";
import { businessTime } from "@/lib/platform/clock";
import type { Services } from "@/lib/platform/services";

/** From so many transactions on a profile takes about a second. */
const BIG_FROM = 100_000;
/** Organizations that are asked about at once whether they are big. */
const LOOKED_AT = 10;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";
const LEASE_MS = 180_000;
const NAMES = PROFILE_DAYS.map((days) => `profile ${days}`);

type Needs = Pick<Services, "pool" | "clock" | "log">;

interface Organization {
  organization_id: string;
  clock_offset_ms: number;
}
interface Due extends Organization {
  days: number;
}

/**
 * Makes the profiles of big organizations ready before anybody asks, so that the first reading is as quick as the next:
 * those that were looked at within a week again every hour, one that is looked at while it is older than ten minutes at
 * once, the others once a day. One at a time: each takes the database seconds.
 * @param bigFrom how many transactions make a big one; this and the keeper are parameters where that is tested
 * @returns a batch of it, which answers how many that were due it made
 */
export function createProfileUpkeep(
  services: Needs,
  { keeper = answers, bigFrom = BIG_FROM }: { keeper?: AnswerKeeper; bigFrom?: number } = {},
): () => Promise<number> {
  let lookedAtUntil = FIRST_ID;
  return async () => {
    const due = await leaseDue(services);
    if (due) {
      await makeReady(services, keeper, due);
      return 1;
    }
    const found = await findBig(services, lookedAtUntil, bigFrom);
    lookedAtUntil = found.at(-1)?.organization_id ?? FIRST_ID;
    for (const organization of found.filter((one) => one.is_big)) {
      for (const days of PROFILE_DAYS) await makeReady(services, keeper, { ...organization, days });
    }
    return 0;
  };
}

async function makeReady(services: Needs, keeper: AnswerKeeper, due: Due): Promise<void> {
  const { organization_id: organizationId, clock_offset_ms: offsetMs, days } = due;
  const whose = { organizationId, now: businessTime(services.clock, offsetMs) };
  try {
    await keeper.renew(services, profileQuestion(whose, days), () => computeLastDays(services, whose, days));
  } catch (error) {
    services.log.error({ err: error, organizationId, days }, "a financial profile could not be made ready");
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
       returning k.organization_id, split_part(k.name, ' ', 2)::int as days, o.clock_offset_ms`,
    values: [clock.now(), LEASE_MS, NAMES],
  });
  return rows[0] ?? null;
}

/** The next organizations without a kept profile, and whether their transactions are many. */
async function findBig(
  { pool }: Needs,
  after: string,
  bigFrom: number,
): Promise<(Organization & { is_big: boolean })[]> {
  const { rows } = await pool.query<Organization & { is_big: boolean }>({
    name: "find_big_organizations",
    text: `
      select o.id as organization_id, o.clock_offset_ms, outside.count + cards.count >= $3 as is_big
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
