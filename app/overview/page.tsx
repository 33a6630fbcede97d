import type { Metadata } from "next";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf, timeOf } from "@/app/page-setting";
import { OverviewPage } from "@/components/overview/overview-page";
import { Shell } from "@/components/shell/shell";
import { MAP_DAYS } from "@/lib/contract/views/overview-view";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readOverview } from "@/lib/views/overview/read-overview";
import "@/app/styles/pages/overview.css";

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
  const context = memberContext(getRuntime().services, member);
  const [view, shell] = await Promise.all([
    readOverview(getRuntime().services, context, days, timeOf(member, context)),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} actions={shellActions} current="OVERVIEW">
      <OverviewPage view={view} />
    </Shell>
  );
}
