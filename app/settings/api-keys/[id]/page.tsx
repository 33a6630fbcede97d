import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { z } from "zod";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { KeyPage } from "@/app/settings/api-keys/[id]/_components/key-page";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { getKey } from "@/lib/views/keys/get-key";

export const metadata: Metadata = { title: "API key" };

/** One key. */
export default async function OneKeyPage({ params }: { params: Promise<{ id: string }> }) {
  const id = z.uuid().safeParse((await params).id);
  if (!id.success) notFound();
  const member = await requireMember(`/settings/api-keys/${id.data}`);
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    getKey({ services, context, time: timeOf(member, context) }, id.data),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  return (
    <Shell view={shell} current="API_KEYS">
      <KeyPage view={view} />
    </Shell>
  );
}
