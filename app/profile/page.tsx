import type { Metadata } from "next";
import { z } from "zod";
import { memberPage } from "@/app/member-page";
import { ProfilePage } from "@/app/profile/_components/profile-page";
import { PROFILE_DAYS } from "@/lib/contract/monthly-amount";
import { FIRST_PROFILE_DAYS, readProfilePage } from "@/lib/views/read-profile-page";

export const metadata: Metadata = { title: "Financial profile" };

const daysSchema = z.coerce.number().pipe(z.literal(PROFILE_DAYS)).catch(FIRST_PROFILE_DAYS);

export default memberPage({
  search: ({ days }) => daysSchema.parse(days),
  at: (days) => `/profile?days=${days}`,
  current: "PROFILE",
  load: readProfilePage,
  show: ({ view }) => <ProfilePage view={view} />,
});
