import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { organizationTimeOf, shellOf } from "@/app/page-setting";
import { FraudMonitoringPage } from "@/app/settings/fraud-monitoring/_components/fraud-monitoring-page";
import { Shell } from "@/components/shell/shell";
import { FRAUD_MONITORING_HREF } from "@/lib/contract/hrefs";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readFraudMonitoring } from "@/lib/views/fraud-monitoring/read-fraud-monitoring";

export const metadata: Metadata = { title: "Fraud monitoring" };

export default async function Page() {
  const member = await requireMember(FRAUD_MONITORING_HREF);
  const context = memberContext(getRuntime().services, member);
  const [view, shell] = await Promise.all([
    readFraudMonitoring({
      services: getRuntime().services,
      context,
      time: organizationTimeOf(member, context),
    }),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="SETTINGS">
      <FraudMonitoringPage view={view} />
    </Shell>
  );
}
