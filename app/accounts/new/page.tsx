import type { Metadata } from "next";
import { NewAccountForm } from "@/app/accounts/_components/account-forms";
import { requireMember } from "@/app/auth/member";
import { shellOf } from "@/app/page-setting";
import { Acting } from "@/components/act/acting";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { FocusFrame } from "@/components/shell/focus-frame";
import { MAXIMUM_PAGE_SIZE } from "@/lib/contract/limits";
import { listBeneficiaries } from "@/lib/core/ledger/beneficiaries";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readNewPodFloor } from "@/lib/views/organization/read-organization";

export const metadata: Metadata = { title: "New account" };

export default async function NewAccountPage() {
  const member = await requireMember("/accounts/new");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [beneficiaries, newPodFloorInCents, shell] = await Promise.all([
    listBeneficiaries(services, context, { page: 1, pageSize: MAXIMUM_PAGE_SIZE }),
    readNewPodFloor(services, context),
    shellOf(member, context),
  ]);
  return (
    <FocusFrame view={shell} back={{ href: "/accounts", label: "Accounts", waitingCount: 0 }}>
      {mayDecide(member.actor) ? (
        <Acting>
          <NewAccountForm
            beneficiaries={beneficiaries.items}
            newPodFloorInCents={newPodFloorInCents}
            cancelHref="/accounts"
          />
        </Acting>
      ) : (
        <OwnersOnly what="open an account" backHref="/accounts" />
      )}
    </FocusFrame>
  );
}
