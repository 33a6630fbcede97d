import type { Metadata } from "next";
import { ReconciliationPage } from "@/app/accounts/reconciliation/_components/reconciliation-page";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { Shell } from "@/components/shell/shell";
import { RECONCILIATION_HREF } from "@/lib/contract/hrefs";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readReconciliation } from "@/lib/views/reconciliation/read-reconciliation";

export const metadata: Metadata = { title: "Reconciliation" };

export default async function Reconciliation() {
  const member = await requireMember(RECONCILIATION_HREF);
  const { services, bank } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readReconciliation({ services, context, time: timeOf(member, context) }, bank.name),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="ACCOUNTS">
      <ReconciliationPage view={view} />
    </Shell>
  );
}
