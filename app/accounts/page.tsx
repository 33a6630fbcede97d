import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf, timeOf } from "@/app/page-setting";
import { AccountsList } from "@/components/accounts/accounts-list";
import { Shell } from "@/components/shell/shell";
import { readAccountsPage } from "@/lib/core/accounts/read-accounts-page";
import { memberContext } from "@/lib/core/members/member-context";
import { getRuntime } from "@/lib/core/runtime";

export const metadata: Metadata = { title: "Accounts" };

/** Every open account with its balance, drawn to one scale. */
export default async function AccountsPage() {
  const member = await requireMember("/accounts");
  const context = memberContext(getRuntime().services, member);
  const [view, shell] = await Promise.all([
    readAccountsPage(getRuntime().services, context, timeOf(member, context)),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} actions={shellActions} current="ACCOUNTS">
      <AccountsList view={view} />
    </Shell>
  );
}
