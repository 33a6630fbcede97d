import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { DifferencePage } from "@/app/accounts/reconciliation/[id]/_components/difference-page";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { Shell } from "@/components/shell/shell";
import { differenceHref } from "@/lib/contract/hrefs";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readDifference } from "@/lib/views/reconciliation/read-difference";

export const metadata: Metadata = { title: "Difference" };

export default async function OneDifferencePage({ params }: { params: Promise<{ id: string }> }) {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(differenceHref(id.data));
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readDifference({ services, context, time: timeOf(member, context) }, id.data),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="ACCOUNTS">
      <DifferencePage view={view} />
    </Shell>
  );
}
