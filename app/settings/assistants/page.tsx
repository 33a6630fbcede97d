import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { AssistantsList } from "@/app/settings/assistants/_components/assistants-list";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { listAssistants } from "@/lib/views/assistants/list-assistants";

export const metadata: Metadata = { title: "Assistants" };

export default async function AssistantsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const member = await requireMember("/settings/assistants");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const showsEnded = (await searchParams).disconnected === "show";
  const [view, shell] = await Promise.all([
    listAssistants(services, context, { showsEnded, time: timeOf(member, context) }),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="ASSISTANTS">
      <AssistantsList view={view} />
    </Shell>
  );
}
