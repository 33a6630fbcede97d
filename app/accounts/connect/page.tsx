import type { Metadata } from "next";
import { ConnectWithLink } from "@/app/accounts/connect/_components/connect-with-link";
import { InstitutionPicker } from "@/app/accounts/connect/_components/institution-picker";
import { ConnectedBefore, NotToConnect } from "@/app/accounts/connect/_components/not-to-connect";
import { requireMember } from "@/app/auth/member";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { shellOf } from "@/app/page-setting";
import { ConnectCrumb } from "@/components/parts/connections/connect-words";
import { Shell } from "@/components/shell/shell";
import { listConnections } from "@/lib/core/connections/list-connections";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readConnectPage } from "@/lib/views/connections/read-connect-page";

export const metadata: Metadata = { title: "Connect account" };

export default async function ConnectPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const parameters = await searchParams;
  dropEmptyParameters("/accounts/connect", parameters);
  const member = await requireMember("/accounts/connect");
  const { services, aggregator } = getRuntime();
  const context = memberContext(services, member);
  const { q } = parameters;
  const query = typeof q === "string" ? q.trim().slice(0, 100) : "";
  const [view, connections, shell] = await Promise.all([
    readConnectPage({ services, context }, aggregator, query),
    listConnections(services, context),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="ACCOUNTS">
      <ConnectCrumb here="Connect account" />
      {view.kind === "INSTITUTIONS" ? <InstitutionPicker view={view} /> : null}
      {view.kind === "PROVIDERS_DIALOG" ? <ConnectWithLink providerName={view.providerName} /> : null}
      {view.kind === "FOR_OWNERS" ? <NotToConnect view={view} /> : null}
      {query === "" ? <ConnectedBefore connections={connections} /> : null}
    </Shell>
  );
}
