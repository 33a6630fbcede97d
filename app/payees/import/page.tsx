import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellOf } from "@/app/page-setting";
import { ImportPayees } from "@/app/payees/import/_components/import-payees";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { Shell } from "@/components/shell/shell";
import { newFormId } from "@/lib/core/shared/new-form-id";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "Import payees" };

export default async function ImportPayeesPage() {
  const member = await requireMember("/payees/import");
  const context = memberContext(getRuntime().services, member);
  const shell = await shellOf(member, context);
  return (
    <Shell view={shell} current="PAYEES">
      <Crumb ways={[{ href: "/payees", label: "Payees" }]} here="Import" />
      {mayDecide(context.actor) ? (
        <>
          <PageHead
            title="Import payees"
            lede="From a CSV file. Each payee waits for its own confirmation; all owners and co-owners are notified."
          />
          <ImportPayees
            needsAddress={getRuntime().bank.capabilities.requiresAddress}
            formId={newFormId(context)}
          />
        </>
      ) : (
        <PageHead title="Owners and co-owners import payees" lede="Ask one of them to import the file." />
      )}
    </Shell>
  );
}
