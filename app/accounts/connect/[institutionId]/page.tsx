import type { Metadata } from "next";
import { NotToConnect } from "@/app/accounts/connect/_components/not-to-connect";
import { ChooseAccounts } from "@/app/accounts/connect/[institutionId]/_components/choose-accounts";
import { memberPage } from "@/app/member-page";
import { ConnectCrumb } from "@/components/parts/connections/connect-words";
import { getRuntime } from "@/lib/next/runtime";
import { readOffer } from "@/lib/views/connections/read-connect-page";

export const metadata: Metadata = { title: "Choose accounts" };

export default memberPage({
  search: ({ institutionId }) => String(institutionId).slice(0, 200),
  at: (institutionId) => `/accounts/connect/${institutionId}`,
  current: "ACCOUNTS",
  load: (reading, institutionId) => readOffer(reading, getRuntime().aggregator, institutionId),
  show: ({ view }) => (
    <>
      <ConnectCrumb
        way={{ href: "/accounts/connect", label: "Connect account" }}
        here={view.kind === "CHOOSE" ? view.institutionName : "Choose accounts"}
      />
      {view.kind === "CHOOSE" ? <ChooseAccounts view={view} /> : <NotToConnect view={view} />}
    </>
  ),
});
