import type { Metadata } from "next";
import { memberPage } from "@/app/member-page";
import { EndpointsList } from "@/app/settings/webhooks/_components/endpoints-list";
import { getRuntime } from "@/lib/next/runtime";
import { listEndpoints } from "@/lib/views/webhooks/endpoint-facts";

export const metadata: Metadata = { title: "Webhooks" };

export default memberPage({
  at: "/settings/webhooks",
  current: "WEBHOOKS",
  load: (reading) => listEndpoints(reading, getRuntime().webhooks),
  show: ({ view }) => <EndpointsList view={view} />,
});
