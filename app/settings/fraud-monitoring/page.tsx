import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { organizationTimeOf } from "@/app/page-setting";
import { FraudMonitoringPage } from "@/app/settings/fraud-monitoring/_components/fraud-monitoring-page";
import { FRAUD_MONITORING_HREF } from "@/lib/contract/hrefs";
import { readFraudMonitoring } from "@/lib/views/fraud-monitoring/read-fraud-monitoring";

export const metadata: Metadata = { title: "Fraud monitoring" };

export default memberPage({
  at: FRAUD_MONITORING_HREF,
  current: "SETTINGS",
  load: ({ member, ...reading }) =>
    readFraudMonitoring({ ...reading, time: organizationTimeOf(member, reading.context) }),
  show: ({ view }) => <FraudMonitoringPage view={view} />,
});
