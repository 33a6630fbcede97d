import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { NewPayeeForm } from "@/components/parts/payees/payee-form";
import { newFormId } from "@/lib/core/shared/new-form-id";
import { mayDecide } from "@/lib/core/shared/permits";

export const metadata: Metadata = { title: "New payee" };

export default memberPage({
  at: "/payees/new",
  current: "PAYEES",
  load: ({ context }) => ({ canAdd: mayDecide(context.actor), formId: newFormId(context) }),
  show: ({ view: { canAdd, formId }, services }) => (
    <>
      <Crumb ways={[{ href: "/payees", label: "Payees" }]} here="New payee" />
      {canAdd ? (
        <>
          <PageHead
            title="New payee"
            lede="It can be paid once an owner or co-owner has confirmed its account. All of them are notified."
          />
          <NewPayeeForm formId={formId} needsAddress={services.bankCapabilities.requiresAddress} />
        </>
      ) : (
        <PageHead title="Owners and co-owners add payees" lede="Ask one of them to add it." />
      )}
    </>
  ),
});
