import type { Metadata } from "next";
import { z } from "zod";
import { memberPage } from "@/app/member-page";
import { OverviewPage } from "@/app/overview/_components/overview-page";
import { offersOf } from "@/app/welcome/offers";
import { Checklist } from "@/components/parts/onboarding/checklist";
import { MAP_DAYS } from "@/lib/contract/hrefs";
import { getRuntime } from "@/lib/next/runtime";
import { readOverview } from "@/lib/views/overview/read-overview";
import { readOnboarding } from "@/lib/views/read-onboarding";

export const metadata: Metadata = { title: "Overview" };

const mapDaysSchema = z.coerce.number().pipe(z.literal(MAP_DAYS)).catch(MAP_DAYS[0]);

/** Served at `/` (next.config.mjs). */
export default memberPage({
  search: ({ days }) => mapDaysSchema.parse(days),
  at: (days) => (days === MAP_DAYS[0] ? "/" : `/?days=${days}`),
  current: "OVERVIEW",
  load: async (reading, days) => {
    const [overview, { checklist, isOpen }] = await Promise.all([
      readOverview(reading, days),
      readOnboarding(reading, offersOf(getRuntime())),
    ]);
    return { overview, firstSteps: isOpen ? checklist : null };
  },
  show: ({ view: { overview, firstSteps } }) => (
    <OverviewPage view={overview} firstSteps={firstSteps ? <Checklist view={firstSteps} /> : null} />
  ),
});
