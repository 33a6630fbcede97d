import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { ConnectionPage } from "@/app/connections/[id]/_components/connection-page";
import { shellOf, timeOf } from "@/app/page-setting";
import { Shell } from "@/components/shell/shell";
import { connectionHref } from "@/lib/contract/hrefs";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readConnectionPage } from "@/lib/views/connections/read-connection-page";

export const metadata: Metadata = { title: "Connection" };

export default async function ConnectionRoute({ params }: { params: Promise<{ id: string }> }) {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(connectionHref(id.data));
  const { services, aggregator } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readConnectionPage({ services, context }, aggregator, id.data),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="ACCOUNTS">
      <ConnectionPage view={view} time={timeOf(member, context)} />
    </Shell>
  );
}
