import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CloseAccount } from "@/app/accounts/[id]/close/_components/close-account";
import { openAccountPage } from "@/app/accounts/account-page";
import { shellOf, timeOf } from "@/app/page-setting";
import { Acting } from "@/components/act/acting";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { FocusFrame } from "@/components/shell/focus-frame";
import { accountHref } from "@/lib/contract/hrefs";
import { mayDecide } from "@/lib/core/shared/permits";
import { getRuntime } from "@/lib/next/runtime";
import { readClosingPage } from "@/lib/views/accounts/read-closing-page";

export const metadata: Metadata = { title: "Close account" };

export default async function CloseAccountPage({ params }: { params: Promise<{ id: string }> }) {
  const { id, member, context } = await openAccountPage(params, "/close");
  const [view, shell] = await Promise.all([
    readClosingPage({ services: getRuntime().services, context, time: timeOf(member, context) }, id),
    shellOf(member, context),
  ]);
  if (!view) notFound();
  const href = accountHref(id);
  return (
    <FocusFrame view={shell} back={{ href, label: view.name, waitingCount: 0 }}>
      {mayDecide(member.actor) ? (
        <Acting>
          <CloseAccount view={view} backHref={href} accountId={id} />
        </Acting>
      ) : (
        <OwnersOnly what="close an account" backHref={href} />
      )}
    </FocusFrame>
  );
}
