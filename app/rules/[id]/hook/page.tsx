import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { HookPage } from "@/app/rules/[id]/hook/_components/hook-page";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readHookPage } from "@/lib/views/rules/read-hook-page";

export const metadata: Metadata = { title: "Start from a webhook" };

export default async function RuleHookPage({ params }: { params: Promise<{ id: string }> }) {
  const id = z
    .uuid()
    .toLowerCase()
    .safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(`/rules/${id.data}/hook`);
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readHookPage({ services, context, time: timeOf(member, context) }, id.data),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="RULES">
      <HookPage view={view} />
    </Shell>
  );
}
