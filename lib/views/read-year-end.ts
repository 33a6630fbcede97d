import { z } from "zod";
import { downloadHref } from "@/lib/contract/shown";
import { addUpYear } from "@/lib/core/exports/add-up-year";
import { findYear, type Year } from "@/lib/core/exports/find-year";
import { zipName } from "@/lib/core/exports/year-csv";
import { answers } from "@/lib/core/profile/keep-answer";
import { mayExport } from "@/lib/core/shared/roles";
import type { Reading } from "@/lib/views/reading";

const PAGE_HREF = "/settings/year-end";
/** Proofs of fewer entries are never cached. */
const KEPT_FROM = 100_000;

const keptProofSchema = z.object({
  accounts: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      isClosed: z.boolean(),
      openingInCents: z.int(),
      inInCents: z.int(),
      outInCents: z.int(),
      closingInCents: z.int(),
      count: z.int(),
      addsUp: z.boolean(),
    }),
  ),
  openingInCents: z.int(),
  cameInInCents: z.int(),
  cameInCount: z.int(),
  wentOutInCents: z.int(),
  wentOutCount: z.int(),
  movedInCents: z.int(),
  movedCount: z.int(),
  closingInCents: z.int(),
  addsUp: z.boolean(),
  madeAt: z.iso.datetime(),
});

/** What the year-end page shows at once, for any member. */
export async function readYearEnd({ services, context }: Reading, wanted: number | null) {
  const { year, years } = await findYear(services.pool, context, wanted);
  const { rows } = await services.pool.query<{ count: number }>({
    name: "count_outside_accounts",
    text: `select count(*)::int as count from accounts where organization_id = $1 and type = 'EXTERNAL_ACCOUNT' and not is_payee`,
    values: [context.organizationId],
  });
  return {
    ...toView(year, context.now),
    /** Latest first. */
    years: years.map((each) => ({
      year: each,
      href: `${PAGE_HREF}?year=${each}`,
      isSoFar: each === years[0],
    })),
    /** Null: this member may only read. */
    zipHref: mayExport(context) ? downloadHref(`${PAGE_HREF}/${year.year}/zip`, context) : null,
    outsideAccountCount: rows[0]?.count ?? 0,
  };
}
export type YearEndView = Awaited<ReturnType<typeof readYearEnd>>;

/**
 * The proof that the year adds up, for any member. It reads every entry, so the page streams it; for large
 * organizations it is cached for some minutes, and shows its time.
 */
export async function readYearProof({ services, context }: Reading<"pool" | "clock">, wanted: number) {
  const { organizationId, now } = context;
  const { year } = await findYear(services.pool, context, wanted);
  const { madeAt, ...proof } = await answers.get(
    services,
    {
      organizationId,
      now,
      // In another time zone, the year is different.
      name: `year ${year.year} from ${year.from.toISOString()}`,
      schema: keptProofSchema,
      staleMs: 0,
      // A page waits for it; the zip is always computed.
      keptIfSlowerMs: 250,
      isBig: ({ accounts }) => accounts.reduce((sum, { count }) => sum + count, 0) >= KEPT_FROM,
    },
    async () => ({ ...(await addUpYear(services.pool, organizationId, year)), madeAt: now.toISOString() }),
  );
  return {
    ...proof,
    /** ISO 8601: the moment of a cached sum, some minutes old, because adding it up takes long. */
    keptSince: madeAt === now.toISOString() ? null : madeAt,
  };
}
export type YearProofView = Awaited<ReturnType<typeof readYearProof>>;

function toView(year: Year, now: Date) {
  return {
    year: year.year,
    /** `YYYY-MM-DD`, first and last day; today for the current year. */
    firstDay: year.firstDay,
    lastDay: year.lastDay,
    /** ISO 8601: when it was read, for the current year. */
    readAt: year.goesOn ? now.toISOString() : null,
    timeZone: year.timeZone,
    zipName: zipName(year.organizationName, year.year),
  };
}
