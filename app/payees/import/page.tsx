import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { ImportPayees } from "@/app/payees/import/_components/import-payees";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { newFormId } from "@/lib/core/shared/new-form-id";
import { mayDecide } from "@/lib/core/shared/permits";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "Import payees" };

export default memberPage({
  at: "/payees/import",
  current: "PAYEES",
  load: ({ context }) => ({ canImport: mayDecide(context.actor), formId: newFormId(context) }),
  show: ({ view: { canImport, formId } }) => (
    <>
      <Crumb ways={[{ href: "/payees", label: "Payees" }]} here="Import" />
      {canImport ? (
        <>
          <PageHead
            title="Import payees"
            lede="From a CSV file. Each payee waits for its own confirmation; all owners and co-owners are notified."
          />
          <ImportPayees needsAddress={getRuntime().bank.capabilities.requiresAddress} formId={formId} />
        </>
      ) : (
        <PageHead title="Owners and co-owners import payees" lede="Ask one of them to import the file." />
      )}
    </>
  ),
});
