import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellOf } from "@/app/page-setting";
import { NewKey } from "@/app/settings/api-keys/new/_components/new-key";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readNewKey } from "@/lib/views/keys/read-new-key";

export const metadata: Metadata = { title: "New API key" };

export default async function NewKeyPage() {
  const member = await requireMember("/settings/api-keys/new");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([readNewKey({ services, context }), shellOf(member, context)]);
  return (
    <Shell view={shell} current="API_KEYS">
      {view.viewer.canDecide ? (
        <NewKey view={view} />
      ) : (
        <>
          <Crumb ways={[{ href: "/settings/api-keys", label: "API keys" }]} here="New key" />
          <PageHead
            title="Owners and co-owners create keys"
            lede="A key can move the organization’s money. Ask one of them to create it for you."
          />
        </>
      )}
    </Shell>
  );
}
