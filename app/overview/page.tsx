import type { Metadata } from "next";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { OverviewPage } from "@/app/overview/_components/overview-page";
import { shellOf, timeOf } from "@/app/page-setting";
import { offersOf } from "@/app/welcome/offers";
import { Checklist } from "@/components/parts/onboarding/checklist";
import { Shell } from "@/components/shell/shell";
import { MAP_DAYS } from "@/lib/contract/hrefs";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readOverview } from "@/lib/views/overview/read-overview";
import { readOnboarding } from "@/lib/views/read-onboarding";

export const metadata: Metadata = { title: "Overview" };

const mapDaysSchema = z.coerce.number().pipe(z.literal(MAP_DAYS)).catch(MAP_DAYS[0]);

/** Served at `/` (next.config.mjs). */
export default async function Page({
  searchParams,
}: {
  searchParams: Promise<{ days?: string | string[] }>;
}) {
  const days = mapDaysSchema.parse((await searchParams).days);
  const member = await requireMember(days === MAP_DAYS[0] ? "/" : `/?days=${days}`);
  const runtime = getRuntime();
  const { services } = runtime;
  const context = memberContext(services, member);
  const [view, { checklist, isOpen }, shell] = await Promise.all([
    readOverview({ services, context, time: timeOf(member, context) }, days),
    readOnboarding({ services, context }, offersOf(runtime)),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="OVERVIEW">
      <OverviewPage view={view} firstSteps={isOpen ? <Checklist view={checklist} /> : null} />
    </Shell>
  );
}
