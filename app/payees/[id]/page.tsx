import type { Metadata } from "next";
import { askedId, memberPage } from "@/app/member-page";
import { PayeePage } from "@/app/payees/[id]/_components/payee-page";
import { payeeHref } from "@/lib/contract/hrefs";
import { newFormId } from "@/lib/core/shared/new-form-id";
import { readPayee } from "@/lib/views/payees/read-payees";

export const metadata: Metadata = { title: "Payee" };

export default memberPage({
  search: askedId,
  at: payeeHref,
  current: "PAYEES",
  load: readPayee,
  show: ({ view, services, context }) => (
    <PayeePage
      view={view}
      needsAddress={services.bankCapabilities.requiresAddress}
      formId={newFormId(context)}
    />
  ),
});
