import type { Metadata } from "next";
import { askedId, memberPage } from "@/app/member-page";
import { EndpointPage } from "@/app/settings/webhooks/[id]/_components/endpoint-page";
import { getRuntime } from "@/lib/next/runtime";
import { readEndpoint } from "@/lib/views/webhooks/read-endpoint";

export const metadata: Metadata = { title: "Webhook endpoint" };

export default memberPage({
  search: (asked) => {
    const endpointId = askedId(asked);
    if (endpointId === null) return null;
    return {
      endpointId,
      filter: asked.filter === "failing" ? ("FAILING" as const) : ("ALL" as const),
      openedEventId: one(asked.event),
      before: one(asked.before),
    };
  },
  at: ({ endpointId }) => `/settings/webhooks/${endpointId}`,
  current: "WEBHOOKS",
  load: (reading, search) => readEndpoint(reading, getRuntime().webhooks, search),
  show: ({ view }) => <EndpointPage view={view} />,
});

/** Null unless given exactly once. */
function one(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : null;
}
