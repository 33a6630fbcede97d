import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { NewKey } from "@/app/settings/api-keys/new/_components/new-key";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { getRuntime } from "@/lib/next/runtime";
import { readNewKey } from "@/lib/views/keys/read-new-key";

export const metadata: Metadata = { title: "New API key" };

export default memberPage({
  at: "/settings/api-keys/new",
  current: "API_KEYS",
  load: (reading) => readNewKey(reading, { offersSandbox: getRuntime().sandbox !== null }),
  show: ({ view }) =>
    view.viewer.canDecide ? (
      <NewKey view={view} />
    ) : (
      <>
        <Crumb ways={[{ href: "/settings/api-keys", label: "API keys" }]} here="New key" />
        <PageHead
          title="Owners and co-owners create keys"
          lede="A key can move the organization’s money. Ask one of them to create it for you."
        />
      </>
    ),
});
