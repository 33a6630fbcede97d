import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { organizationTimeOf, shellOf } from "@/app/page-setting";
import { Receipt } from "@/app/transfers/[id]/receipt/_components/receipt";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readReceipt } from "@/lib/views/movements/read-transfer-detail";

export const metadata: Metadata = { title: "Receipt" };

export default async function ReceiptPage({ params }: { params: Promise<{ id: string }> }) {
  const id = z
    .uuid()
    .toLowerCase()
    .safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(`/transfers/${id.data}/receipt`);
  const { services, isSandbox } = getRuntime();
  const context = memberContext(services, member);
  const setting = {
    organizationName: member.organization.name,
    isSandbox,
  };
  const [view, shell] = await Promise.all([
    readReceipt({ services, context, time: organizationTimeOf(member, context) }, id.data, setting),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="MOVEMENTS">
      <Receipt view={view} />
    </Shell>
  );
}
