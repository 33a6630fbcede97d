import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { EditAccountForm } from "@/app/accounts/_components/account-forms";
import { OwnBankAccount } from "@/app/accounts/[id]/edit/_components/own-bank-account";
import { openAccountPage } from "@/app/accounts/account-page";
import { shellOf } from "@/app/page-setting";
import { Acting } from "@/components/act/acting";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { FocusFrame } from "@/components/shell/focus-frame";
import { accountHref } from "@/lib/contract/hrefs";
import { mayDecide } from "@/lib/core/shared/permits";
import { getRuntime } from "@/lib/next/runtime";
import { readAccountForm } from "@/lib/views/accounts/read-account-form";

export const metadata: Metadata = { title: "Edit account" };

export default async function EditAccountPage({ params }: { params: Promise<{ id: string }> }) {
  const { id, member, context } = await openAccountPage(params, "/edit");
  const { services, bank } = getRuntime();
  const [view, shell] = await Promise.all([
    readAccountForm({ services, context }, id),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  const href = accountHref(id);
  return (
    <FocusFrame view={shell} back={{ href, label: view.name, waitingCount: 0 }}>
      {mayDecide(member.actor) ? (
        <Acting>
          <EditAccountForm view={view} cancelHref={href} closeHref={`${href}/close`} />
          {view.hasOwnBankAccount === null ? null : (
            <OwnBankAccount accountId={id} bankName={bank.name} isOwn={view.hasOwnBankAccount} />
          )}
        </Acting>
      ) : (
        <OwnersOnly what="change an account" backHref={href} />
      )}
    </FocusFrame>
  );
}
