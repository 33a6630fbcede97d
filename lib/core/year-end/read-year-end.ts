import type { YearEndView, YearProofView } from "@/lib/contract/views/year-end-view";
import type { Context, MemberActor } from "@/lib/core/context";
import { mayExport } from "@/lib/core/members/require-accountant";
import { addUpYear } from "@/lib/core/year-end/add-up-year";
import { zipName } from "@/lib/core/year-end/file-names";
import { findYear, type Year } from "@/lib/core/year-end/find-year";
import type { Services } from "@/lib/platform/services";

const PAGE_HREF = "/settings/year-end";

/** What the page of the year's end shows at once, for any member. */
export async function readYearEnd(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  wanted: number | null,
): Promise<YearEndView> {
  const { year, years } = await findYear(services.pool, context, wanted);
  const { rows } = await services.pool.query<{ count: number }>({
    name: "count_outside_accounts",
    text: `select count(*)::int as count from accounts where organization_id = $1 and type = 'EXTERNAL_ACCOUNT'`,
    values: [context.organizationId],
  });
  return {
    ...toView(year, context.now),
    years: years.map((each) => ({
      year: each,
      href: `${PAGE_HREF}?year=${each}`,
      isSoFar: each === years[0],
    })),
    zipHref: mayExport(context) ? `${PAGE_HREF}/${year.year}/zip` : null,
    outsideAccountCount: rows[0]?.count ?? 0,
  };
}

/** The proof that the year adds up, for any member. It reads every entry, so the page does not wait for it. */
export async function readYearProof(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  wanted: number,
): Promise<YearProofView> {
  const { year } = await findYear(services.pool, context, wanted);
  return await addUpYear(services.pool, context.organizationId, year);
}

function toView(year: Year, now: Date) {
  return {
    year: year.year,
    firstDay: year.firstDay,
    lastDay: year.lastDay,
    readAt: year.goesOn ? now.toISOString() : null,
    timeZone: year.timeZone,
    zipName: zipName(year.organizationName, year.year),
  };
}
