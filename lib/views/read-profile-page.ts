import { PROFILE_DAYS, type ProfileDays } from "@/lib/contract/monthly-amount";
import { readKeptProfile } from "@/lib/core/profile/get-financial-profile";
import type { TimedReading } from "@/lib/views/reading";

/** The initial window: long enough to compare months. */
export const FIRST_PROFILE_DAYS = 90;

/** The financial profile of the last days, for any member: up to now, or up to when it was computed. */
export async function readProfilePage(
  { services, context, time }: TimedReading<"pool" | "clock">,
  days: ProfileDays,
) {
  const { spendingMonths, otherPayees, ...profile } = await readKeptProfile(services, context, { days });
  return {
    profile,
    /** The months of the cash flow. */
    spendingMonths,
    /** The largest payees in the category `OTHER`. */
    otherPayees,
    /** A cached profile, some minutes old (`generatedAt`), because computing it takes long. */
    isKept: profile.generatedAt !== context.now.toISOString(),
    days,
    hrefs: { [PROFILE_DAYS[0]]: hrefOf(30), [PROFILE_DAYS[1]]: hrefOf(90), [PROFILE_DAYS[2]]: hrefOf(365) },
    time,
  };
}

/** Everything on the financial profile page. */
export type ProfileView = Awaited<ReturnType<typeof readProfilePage>>;

function hrefOf(days: ProfileDays): string {
  return days === FIRST_PROFILE_DAYS ? "/profile" : `/profile?days=${days}`;
}
