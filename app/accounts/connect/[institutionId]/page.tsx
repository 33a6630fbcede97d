import type { Metadata } from "next";
import { NotToConnect } from "@/app/accounts/connect/_components/not-to-connect";
import { ChooseAccounts } from "@/app/accounts/connect/[institutionId]/_components/choose-accounts";
import { requireMember } from "@/app/auth/member";
import { shellOf } from "@/app/page-setting";
import { ConnectCrumb } from "@/components/parts/connections/connect-words";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readOffer } from "@/lib/views/connections/read-connect-page";

export const metadata: Metadata = { title: "Choose accounts" };

export default async function ChooseAccountsPage({ params }: { params: Promise<{ institutionId: string }> }) {
  const institutionId = (await params).institutionId.slice(0, 200);
  const member = await requireMember(`/accounts/connect/${institutionId}`);
  const { services, aggregator } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readOffer({ services, context }, aggregator, institutionId),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="ACCOUNTS">
      <ConnectCrumb
        way={{ href: "/accounts/connect", label: "Connect account" }}
        here={view.kind === "CHOOSE" ? view.institutionName : "Choose accounts"}
      />
      {view.kind === "CHOOSE" ? <ChooseAccounts view={view} /> : <NotToConnect view={view} />}
    </Shell>
  );
}
