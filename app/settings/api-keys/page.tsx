import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { KeysList } from "@/app/settings/api-keys/_components/keys-list";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { listKeys } from "@/lib/views/keys/list-keys";

export const metadata: Metadata = { title: "API keys" };

/** The URL can ask for all keys and for revoked ones. */
export default async function KeysPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const member = await requireMember("/settings/api-keys");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const { revoked, all } = await searchParams;
  const [view, shell] = await Promise.all([
    listKeys(services, context, {
      showsRevoked: revoked === "show",
      showsAll: all === "show",
      time: timeOf(member, context),
    }),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="API_KEYS">
      <KeysList view={view} />
    </Shell>
  );
}
