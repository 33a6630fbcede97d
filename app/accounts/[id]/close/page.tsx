import type { Metadata } from "next";
import { CloseAccount } from "@/app/accounts/[id]/close/_components/close-account";
import { askedId, memberPage } from "@/app/member-page";
import { Acting } from "@/components/act/acting";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { accountHref } from "@/lib/contract/hrefs";
import { mayDecide } from "@/lib/core/shared/permits";
import { readClosingPage } from "@/lib/views/accounts/read-closing-page";

export const metadata: Metadata = { title: "Close account" };

export default memberPage({
  search: askedId,
  at: (id) => `${accountHref(id)}/close`,
  current: null,
  load: readClosingPage,
  back: ({ name }, id) => ({ href: accountHref(id), label: name }),
  show: ({ view, search: id, member }) =>
    mayDecide(member.actor) ? (
      <Acting>
        <CloseAccount view={view} backHref={accountHref(id)} accountId={id} />
      </Acting>
    ) : (
      <OwnersOnly what="close an account" backHref={accountHref(id)} />
    ),
});
