import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { RegisterAccount } from "@/app/accounts/[id]/register/_components/register-account";
import { openAccountPage } from "@/app/accounts/account-page";
import { shellOf } from "@/app/page-setting";
import { Acting } from "@/components/act/acting";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { FocusFrame } from "@/components/shell/focus-frame";
import { accountHref } from "@/lib/contract/hrefs";
import { mayDecide } from "@/lib/core/shared/permits";
import { getRuntime } from "@/lib/next/runtime";
import { readRegisterPage } from "@/lib/views/accounts/read-register-page";

export const metadata: Metadata = { title: "Register account" };

export default async function RegisterAccountPage({ params }: { params: Promise<{ id: string }> }) {
  const { id, member, context } = await openAccountPage(params, "/register");
  const { services, bank } = getRuntime();
  if (!bank.capabilities.requiresRegistration) notFound();
  const [view, shell] = await Promise.all([
    readRegisterPage({ services, context }, bank, id),
    shellOf(member, context),
  ]);
  const href = accountHref(id);
  // Registered meanwhile, perhaps by someone else.
  if (!view) redirect(href);
  return (
    <FocusFrame view={shell} back={{ href, label: view.name, waitingCount: 0 }}>
      {mayDecide(member.actor) ? (
        <Acting>
          <RegisterAccount view={view} backHref={href} />
        </Acting>
      ) : (
        <OwnersOnly what="register an account at the bank" backHref={href} />
      )}
    </FocusFrame>
  );
}
