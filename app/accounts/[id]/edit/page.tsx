import type { Metadata } from "next";
import { EditAccountForm } from "@/app/accounts/_components/account-forms";
import { OwnBankAccount } from "@/app/accounts/[id]/edit/_components/own-bank-account";
import { askedId, memberPage } from "@/app/member-page";
import { Acting } from "@/components/act/acting";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { accountHref } from "@/lib/contract/hrefs";
import { mayDecide } from "@/lib/core/shared/permits";
import { getRuntime } from "@/lib/next/runtime";
import { readAccountForm } from "@/lib/views/accounts/read-account-form";

export const metadata: Metadata = { title: "Edit account" };

export default memberPage({
  search: askedId,
  at: (id) => `${accountHref(id)}/edit`,
  current: null,
  load: readAccountForm,
  back: ({ name }, id) => ({ href: accountHref(id), label: name }),
  show: ({ view, search: id, member }) =>
    mayDecide(member.actor) ? (
      <Acting>
        <EditAccountForm view={view} cancelHref={accountHref(id)} closeHref={`${accountHref(id)}/close`} />
        {view.hasOwnBankAccount === null ? null : (
          <OwnBankAccount accountId={id} bankName={getRuntime().bank.name} isOwn={view.hasOwnBankAccount} />
        )}
      </Acting>
    ) : (
      <OwnersOnly what="change an account" backHref={accountHref(id)} />
    ),
});
