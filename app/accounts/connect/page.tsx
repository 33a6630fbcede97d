import type { Metadata } from "next";
import { ConnectWithLink } from "@/app/accounts/connect/_components/connect-with-link";
import { InstitutionPicker } from "@/app/accounts/connect/_components/institution-picker";
import { ConnectedBefore, NotToConnect } from "@/app/accounts/connect/_components/not-to-connect";
import { dropEmptyParameters } from "@/app/drop-empty-parameters";
import { memberPage } from "@/app/member-page";
import { ConnectCrumb } from "@/components/parts/connections/connect-words";
import { listConnections } from "@/lib/core/connections/list-connections";
import { getRuntime } from "@/lib/next/runtime";
import { readConnectPage } from "@/lib/views/connections/read-connect-page";

export const metadata: Metadata = { title: "Connect account" };

export default memberPage({
  search: (asked) => {
    dropEmptyParameters("/accounts/connect", asked);
    const { q } = asked;
    return typeof q === "string" ? q.trim().slice(0, 100) : "";
  },
  at: "/accounts/connect",
  current: "ACCOUNTS",
  load: async (reading, query) => {
    const [offer, connections] = await Promise.all([
      readConnectPage(reading, getRuntime().aggregator, query),
      listConnections(reading.services, reading.context),
    ]);
    return { offer, connections };
  },
  show: ({ view: { offer, connections }, search }) => (
    <>
      <ConnectCrumb here="Connect account" />
      {offer.kind === "INSTITUTIONS" ? <InstitutionPicker view={offer} /> : null}
      {offer.kind === "PROVIDERS_DIALOG" ? <ConnectWithLink providerName={offer.providerName} /> : null}
      {offer.kind === "FOR_OWNERS" ? <NotToConnect view={offer} /> : null}
      {search === "" ? <ConnectedBefore connections={connections} /> : null}
    </>
  ),
});
