import type { Metadata } from "next";
import { AccountsList } from "@/app/accounts/_components/accounts-list";
import { memberPage } from "@/app/member-page";
import { accountsHref } from "@/lib/contract/search/list-search";
import { accountsSearchSchema } from "@/lib/contract/search/search-schemas";
import { listConnections } from "@/lib/core/connections/list-connections";
import { readAccountsPage } from "@/lib/views/accounts/read-accounts-page";

export const metadata: Metadata = { title: "Accounts" };

export default memberPage({
  search: (asked) => ({ search: accountsSearchSchema.parse(asked), connected: asked.connected }),
  at: ({ search }) => accountsHref(search),
  current: "ACCOUNTS",
  load: async (reading, { search, connected }) => {
    const [accounts, connections] = await Promise.all([
      readAccountsPage(reading, search),
      connected === undefined ? [] : listConnections(reading.services, reading.context),
    ]);
    return { accounts, connected: connections.find(({ id }) => id === connected) ?? null };
  },
  show: ({ view: { accounts, connected } }) => <AccountsList view={accounts} connected={connected} />,
});
