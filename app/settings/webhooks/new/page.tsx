import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { NewEndpoint } from "@/app/settings/webhooks/new/_components/new-endpoint";
import { Crumb } from "@/components/layout/crumb";
import { PageHead } from "@/components/layout/page-head";
import { Shell } from "@/components/shell/shell";
import { MAXIMUM_URL_LENGTH } from "@/lib/contract/webhooks";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { listEndpoints } from "@/lib/views/webhooks/endpoint-facts";

export const metadata: Metadata = { title: "New endpoint" };

interface NewEndpointPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** `?url=`: prefilled, e.g. by the sandbox's receiver. */
export default async function NewEndpointPage({ searchParams }: NewEndpointPageProps) {
  const { url } = await searchParams;
  const startUrl = typeof url === "string" ? url.slice(0, MAXIMUM_URL_LENGTH) : "";
  const query = startUrl === "" ? "" : `?${new URLSearchParams({ url: startUrl })}`;
  const member = await requireMember(`/settings/webhooks/new${query}`);
  const { services, webhooks } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    listEndpoints({ services, context, time: timeOf(member, context) }, webhooks),
    shellOf(member, context),
  ]);
  const { viewer, allowsPrivate } = view;
  return (
    <Shell view={shell} current="WEBHOOKS">
      {viewer.canChange ? (
        <NewEndpoint startUrl={startUrl} allowsPrivate={allowsPrivate} />
      ) : (
        <>
          <Crumb ways={[{ href: "/settings/webhooks", label: "Webhooks" }]} here="New endpoint" />
          <PageHead
            title="Owners and co-owners add endpoints"
            lede="An endpoint gets all of the organization’s events. Ask one of them to add it."
          />
        </>
      )}
    </Shell>
  );
}
