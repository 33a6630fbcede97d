import { PROFILE_DAYS, type ProfileDays, type ProfileView } from "@/lib/contract/views/profile-view";
import type { TimeContext } from "@/lib/contract/views/time-context";
import type { Context, MemberActor } from "@/lib/core/context";
import { getFinancialProfile } from "@/lib/core/profile/get-financial-profile";
import { ProfileKeeper } from "@/lib/core/profile/keep-profile";
import type { Services } from "@/lib/platform/services";

const DAY_MS = 86_400_000;
/** The window that opens first: long enough for a month to have a neighbour. */
export const FIRST_PROFILE_DAYS = 90;

/** Of a million transactions it takes seconds, more of them while others work; kept then (`ProfileKeeper`). */
const MAXIMUM_MS = 60_000;
const keeper = new ProfileKeeper();

/** The financial profile of the last days, as every member may see it: up to now, or up to when it was made. */
export async function readProfilePage(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  days: ProfileDays,
  time: TimeContext,
): Promise<ProfileView> {
  const from = new Date(context.now.getTime() - days * DAY_MS);
  const profile = await keeper.get(`${context.organizationId} ${days}`, context.now, () =>
    getFinancialProfile(services, context, { from, to: null }, { maximumMs: MAXIMUM_MS }),
  );
  return {
    profile,
    isKept: profile.generatedAt !== context.now.toISOString(),
    days,
    hrefs: { [PROFILE_DAYS[0]]: hrefOf(30), [PROFILE_DAYS[1]]: hrefOf(90), [PROFILE_DAYS[2]]: hrefOf(365) },
    time,
  };
}

function hrefOf(days: ProfileDays): string {
  return days === FIRST_PROFILE_DAYS ? "/profile" : `/profile?days=${days}`;
}
