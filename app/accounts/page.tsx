import type { Metadata } from "next";
import { AccountsList } from "@/app/accounts/_components/accounts-list";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { Shell } from "@/components/shell/shell";
import { accountsHref } from "@/lib/contract/search/list-search";
import { accountsSearchSchema } from "@/lib/contract/search/search-schemas";
import { listConnections } from "@/lib/core/connections/list-connections";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readAccountsPage } from "@/lib/views/accounts/read-accounts-page";

export const metadata: Metadata = { title: "Accounts" };

export default async function AccountsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const query = await searchParams;
  const { connected } = query;
  const search = accountsSearchSchema.parse(query);
  const member = await requireMember(accountsHref(search));
  const context = memberContext(getRuntime().services, member);
  const [view, shell, connections] = await Promise.all([
    readAccountsPage({ services: getRuntime().services, context, time: timeOf(member, context) }, search),
    shellOf(member, context),
    connected === undefined ? [] : listConnections(getRuntime().services, context),
  ]);
  return (
    <Shell view={shell} current="ACCOUNTS">
      <AccountsList view={view} connected={connections.find(({ id }) => id === connected) ?? null} />
    </Shell>
  );
}
