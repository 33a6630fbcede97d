import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellOf } from "@/app/page-setting";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { NewPayeeForm } from "@/components/parts/payees/payee-form";
import { Shell } from "@/components/shell/shell";
import { newFormId } from "@/lib/core/shared/new-form-id";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "New payee" };

export default async function NewPayeePage() {
  const member = await requireMember("/payees/new");
  const context = memberContext(getRuntime().services, member);
  const shell = await shellOf(member, context);
  return (
    <Shell view={shell} current="PAYEES">
      <Crumb ways={[{ href: "/payees", label: "Payees" }]} here="New payee" />
      {mayDecide(context.actor) ? (
        <>
          <PageHead
            title="New payee"
            lede="It can be paid once an owner or co-owner has confirmed its account. All of them are notified."
          />
          <NewPayeeForm
            formId={newFormId(context)}
            needsAddress={getRuntime().services.bankCapabilities.requiresAddress}
          />
        </>
      ) : (
        <PageHead title="Owners and co-owners add payees" lede="Ask one of them to add it." />
      )}
    </Shell>
  );
}
