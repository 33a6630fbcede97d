import type { Metadata } from "next";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { ProfilePage } from "@/app/profile/_components/profile-page";
import { Shell } from "@/components/shell/shell";
import { PROFILE_DAYS } from "@/lib/contract/monthly-amount";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { FIRST_PROFILE_DAYS, readProfilePage } from "@/lib/views/read-profile-page";

export const metadata: Metadata = { title: "Financial profile" };

const daysSchema = z.coerce.number().pipe(z.literal(PROFILE_DAYS)).catch(FIRST_PROFILE_DAYS);

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function FinancialProfilePage({ searchParams }: Props) {
  const days = daysSchema.parse((await searchParams).days);
  const member = await requireMember(`/profile?days=${days}`);
  const context = memberContext(getRuntime().services, member);
  const [view, shell] = await Promise.all([
    readProfilePage({ services: getRuntime().services, context, time: timeOf(member, context) }, days),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="PROFILE">
      <ProfilePage view={view} />
    </Shell>
  );
}
