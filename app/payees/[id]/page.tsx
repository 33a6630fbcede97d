import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { PayeePage } from "@/app/payees/[id]/_components/payee-page";
import { Shell } from "@/components/shell/shell";
import { payeeHref } from "@/lib/contract/hrefs";
import { newFormId } from "@/lib/core/shared/new-form-id";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readPayee } from "@/lib/views/payees/read-payees";

export const metadata: Metadata = { title: "Payee" };

export default async function OnePayeePage({ params }: { params: Promise<{ id: string }> }) {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(payeeHref(id.data));
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readPayee({ services, context, time: timeOf(member, context) }, id.data),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="PAYEES">
      <PayeePage
        view={view}
        needsAddress={services.bankCapabilities.requiresAddress}
        formId={newFormId(context)}
      />
    </Shell>
  );
}
