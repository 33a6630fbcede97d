import type { Metadata } from "next";
import { Suspense } from "react";
import { z } from "zod";
import { memberPage, type PageReading } from "@/app/member-page";
import { YearEndPage } from "@/app/settings/year-end/_components/year-end-page";
import { YearProof, YearProofSkeleton } from "@/app/settings/year-end/_components/year-proof";
import { readYearEnd, readYearProof, type YearEndView } from "@/lib/views/read-year-end";

export const metadata: Metadata = { title: "Year-end" };

const searchSchema = z.object({
  year: z.coerce.number().int().min(1970).max(9999).nullable().catch(null).default(null),
  accounts: z.enum(["all"]).nullable().catch(null).default(null),
});

/** The year is in the URL. */
export default memberPage({
  search: (asked) => searchSchema.parse(asked),
  at: "/settings/year-end",
  current: "SETTINGS",
  load: (reading, { year }) => readYearEnd(reading, year),
  show: ({ view, search, ...reading }) => (
    <YearEndPage view={view} time={reading.time}>
      <Suspense key={view.year} fallback={<YearProofSkeleton />}>
        <Proof reading={reading} view={view} showsAll={search.accounts === "all"} />
      </Suspense>
    </YearEndPage>
  ),
});

interface ProofProps {
  reading: PageReading;
  view: YearEndView;
  showsAll: boolean;
}

/** Streamed: adding up a year takes longer than the page. */
async function Proof({ reading, view, showsAll }: ProofProps) {
  const proof = await readYearProof(reading, view.year);
  return <YearProof view={view} proof={proof} time={reading.time} showsAll={showsAll} />;
}
