import type { Metadata } from "next";
import { ReconciliationPage } from "@/app/accounts/reconciliation/_components/reconciliation-page";
import { memberPage } from "@/app/member-page";
import { RECONCILIATION_HREF } from "@/lib/contract/hrefs";
import { getRuntime } from "@/lib/next/runtime";
import { readReconciliation } from "@/lib/views/reconciliation/read-reconciliation";

export const metadata: Metadata = { title: "Reconciliation" };

export default memberPage({
  at: RECONCILIATION_HREF,
  current: "ACCOUNTS",
  load: (reading) => readReconciliation(reading, getRuntime().bank.name),
  show: ({ view }) => <ReconciliationPage view={view} />,
});
