import type { FinancialProfile } from "@/lib/contract/financial-profile";
import type { TimeContext } from "@/lib/contract/views/time-context";

/** The windows of the profile page. */
export const PROFILE_DAYS = [30, 90, 365] as const;
export type ProfileDays = (typeof PROFILE_DAYS)[number];

/** Everything that the financial profile shows. */
export interface ProfileView {
  profile: FinancialProfile;
  /** It was made some minutes ago (`generatedAt`), because making it takes long. */
  isKept: boolean;
  days: ProfileDays;
  hrefs: Record<ProfileDays, string>;
  time: TimeContext;
}
