import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { NewEndpoint } from "@/app/settings/webhooks/new/_components/new-endpoint";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { MAXIMUM_URL_LENGTH } from "@/lib/contract/webhooks";
import { getRuntime } from "@/lib/next/runtime";
import { listEndpoints } from "@/lib/views/webhooks/endpoint-facts";

export const metadata: Metadata = { title: "New endpoint" };

/** `?url=`: prefilled, e.g. by the sandbox's receiver. */
export default memberPage({
  search: ({ url }) => (typeof url === "string" ? url.slice(0, MAXIMUM_URL_LENGTH) : ""),
  at: (startUrl) =>
    `/settings/webhooks/new${startUrl === "" ? "" : `?${new URLSearchParams({ url: startUrl })}`}`,
  current: "WEBHOOKS",
  load: (reading) => listEndpoints(reading, getRuntime().webhooks),
  show: ({ view: { viewer, allowsPrivate }, search: startUrl }) =>
    viewer.canChange ? (
      <NewEndpoint startUrl={startUrl} allowsPrivate={allowsPrivate} />
    ) : (
      <>
        <Crumb ways={[{ href: "/settings/webhooks", label: "Webhooks" }]} here="New endpoint" />
        <PageHead
          title="Owners and co-owners add endpoints"
          lede="An endpoint gets all of the organization’s events. Ask one of them to add it."
        />
      </>
    ),
});
