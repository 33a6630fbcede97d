import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { RegisterAccount } from "@/app/accounts/[id]/register/_components/register-account";
import { askedId, memberPage } from "@/app/member-page";
import { Acting } from "@/components/act/acting";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { accountHref } from "@/lib/contract/hrefs";
import { mayDecide } from "@/lib/core/shared/permits";
import { getRuntime } from "@/lib/next/runtime";
import { readRegisterPage } from "@/lib/views/accounts/read-register-page";

export const metadata: Metadata = { title: "Register account" };

export default memberPage({
  search: askedId,
  at: (id) => `${accountHref(id)}/register`,
  current: null,
  load: async (reading, id) => {
    const { bank } = getRuntime();
    if (!bank.capabilities.requiresRegistration) return null;
    // Registered meanwhile, perhaps by someone else.
    return (await readRegisterPage(reading, bank, id)) ?? redirect(accountHref(id));
  },
  back: ({ name }, id) => ({ href: accountHref(id), label: name }),
  show: ({ view, search: id, member }) =>
    mayDecide(member.actor) ? (
      <Acting>
        <RegisterAccount view={view} backHref={accountHref(id)} />
      </Acting>
    ) : (
      <OwnersOnly what="register an account at the bank" backHref={accountHref(id)} />
    ),
});
