import type { Metadata } from "next";
import { Suspense } from "react";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { YearEndPage } from "@/app/settings/year-end/_components/year-end-page";
import { YearProof, YearProofSkeleton } from "@/app/settings/year-end/_components/year-proof";
import { Shell } from "@/components/shell/shell";
import type { TimeContext } from "@/lib/contract/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readYearEnd, readYearProof, type YearEndView } from "@/lib/views/read-year-end";

export const metadata: Metadata = { title: "Year-end" };

const searchSchema = z.object({
  year: z.coerce.number().int().min(1970).max(9999).nullable().catch(null).default(null),
  accounts: z.enum(["all"]).nullable().catch(null).default(null),
});

/** The year is in the URL. */
export default async function YearEndRoute({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const member = await requireMember("/settings/year-end");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const { year, accounts } = searchSchema.parse(await searchParams);
  const [view, shell] = await Promise.all([
    readYearEnd({ services, context }, year),
    shellOf(member, context),
  ]);
  const time = timeOf(member, context);
  return (
    <Shell view={shell} current="SETTINGS">
      <YearEndPage view={view} time={time}>
        <Suspense key={view.year} fallback={<YearProofSkeleton />}>
          <Proof context={context} view={view} time={time} showsAll={accounts === "all"} />
        </Suspense>
      </YearEndPage>
    </Shell>
  );
}

interface ProofProps {
  context: Context<MemberActor>;
  view: YearEndView;
  time: TimeContext;
  showsAll: boolean;
}

/** Streamed: adding up a year takes longer than the page. */
async function Proof({ context, view, time, showsAll }: ProofProps) {
  const proof = await readYearProof({ services: getRuntime().services, context }, view.year);
  return <YearProof view={view} proof={proof} time={time} showsAll={showsAll} />;
}
