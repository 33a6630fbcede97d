import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { EndpointPage } from "@/app/settings/webhooks/[id]/_components/endpoint-page";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readEndpoint } from "@/lib/views/webhooks/read-endpoint";

export const metadata: Metadata = { title: "Webhook endpoint" };

interface OneEndpointPageProps {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function OneEndpointPage({ params, searchParams }: OneEndpointPageProps) {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(`/settings/webhooks/${id.data}`);
  const { services, webhooks } = getRuntime();
  const context = memberContext(services, member);
  const { filter, event, before } = await searchParams;
  const [view, shell] = await Promise.all([
    readEndpoint({ services, context, time: timeOf(member, context) }, webhooks, {
      endpointId: id.data,
      filter: filter === "failing" ? "FAILING" : "ALL",
      openedEventId: one(event),
      before: one(before),
    }),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="WEBHOOKS">
      <EndpointPage view={view} />
    </Shell>
  );
}

/** Null unless given exactly once. */
function one(value: string | string[] | undefined): string | null {
  return typeof value === "string" ? value : null;
}
