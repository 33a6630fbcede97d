import type { Metadata } from "next";
import { NewAccountForm } from "@/app/accounts/_components/account-forms";
import { memberPage } from "@/app/member-page";
import { Acting } from "@/components/act/acting";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { MAXIMUM_PAGE_SIZE } from "@/lib/contract/limits";
import { listBeneficiaries } from "@/lib/core/ledger/beneficiaries";
import { mayDecide } from "@/lib/core/shared/permits";
import { readNewPodFloor } from "@/lib/views/organization/read-organization";

export const metadata: Metadata = { title: "New account" };

export default memberPage({
  at: "/accounts/new",
  current: null,
  load: ({ services, context }) =>
    Promise.all([
      listBeneficiaries(services, context, { page: 1, pageSize: MAXIMUM_PAGE_SIZE }),
      readNewPodFloor({ services, context }),
    ]),
  back: () => ({ href: "/accounts", label: "Accounts" }),
  show: ({ view: [beneficiaries, newPodFloorInCents], member }) =>
    mayDecide(member.actor) ? (
      <Acting>
        <NewAccountForm
          beneficiaries={beneficiaries.items}
          newPodFloorInCents={newPodFloorInCents}
          cancelHref="/accounts"
        />
      </Acting>
    ) : (
      <OwnersOnly what="open an account" backHref="/accounts" />
    ),
});
