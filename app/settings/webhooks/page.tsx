import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { EndpointsList } from "@/app/settings/webhooks/_components/endpoints-list";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { listEndpoints } from "@/lib/views/webhooks/endpoint-facts";

export const metadata: Metadata = { title: "Webhooks" };

export default async function WebhooksPage() {
  const member = await requireMember("/settings/webhooks");
  const { services, webhooks } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    listEndpoints({ services, context, time: timeOf(member, context) }, webhooks),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="WEBHOOKS">
      <EndpointsList view={view} />
    </Shell>
  );
}
