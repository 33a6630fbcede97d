import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf, timeOf } from "@/app/page-setting";
import { AccountsList } from "@/components/accounts/accounts-list";
import { Shell } from "@/components/shell/shell";
import { readAccountsPage } from "@/lib/core/accounts/read-accounts-page";
import { listConnections } from "@/lib/core/connections/list-connections";
import { memberContext } from "@/lib/core/members/member-context";
import { getRuntime } from "@/lib/core/runtime";

export const metadata: Metadata = { title: "Accounts" };

/** Every open account with its balance, drawn to one scale. */
export default async function AccountsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const member = await requireMember("/accounts");
  const context = memberContext(getRuntime().services, member);
  const { connected } = await searchParams;
  const [view, shell, connections] = await Promise.all([
    readAccountsPage(getRuntime().services, context, timeOf(member, context)),
    shellOf(member, context),
    connected === undefined ? [] : listConnections(getRuntime().services, context),
  ]);
  return (
    <Shell view={shell} actions={shellActions} current="ACCOUNTS">
      <AccountsList view={view} connected={connections.find(({ id }) => id === connected) ?? null} />
    </Shell>
  );
}
