import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { organizationTimeOf, shellOf } from "@/app/page-setting";
import { FraudReviewPage } from "@/app/settings/fraud-monitoring/_components/fraud-monitoring-page";
import { Shell } from "@/components/shell/shell";
import { fraudReviewHref } from "@/lib/contract/hrefs";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readFraudReview } from "@/lib/views/fraud-monitoring/read-fraud-monitoring";

export const metadata: Metadata = { title: "Signed review" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(fraudReviewHref(id.data));
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readFraudReview({ services, context, time: organizationTimeOf(member, context) }, id.data),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="SETTINGS">
      <FraudReviewPage view={view} />
    </Shell>
  );
}
