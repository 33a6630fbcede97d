import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { closeAccount } from "@/app/accounts/[id]/close/actions";
import { openAccountPage } from "@/app/accounts/account-page";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf, timeOf } from "@/app/page-setting";
import { CloseAccount } from "@/components/accounts/close-account";
import { OwnersOnly } from "@/components/accounts/owners-only";
import { FocusFrame } from "@/components/shell/focus-frame";
import { accountHref } from "@/lib/core/accounts/account-hrefs";
import { readClosingBlockers } from "@/lib/core/accounts/closing-blockers";
import { readAccountPage } from "@/lib/core/accounts/read-account-page";
import { mayDecide } from "@/lib/core/keys/permits";
import { getRuntime } from "@/lib/core/runtime";

export const metadata: Metadata = { title: "Close account" };

const FIRST_LOOK = { days: 30, filter: "ALL", page: 1 } as const;

/** What closing means, and what is in its way. */
export default async function CloseAccountPage({ params }: { params: Promise<{ id: string }> }) {
  const { id, member, context } = await openAccountPage(params, "/close");
  const { services } = getRuntime();
  const [view, shell] = await Promise.all([
    readAccountPage(services, context, id, FIRST_LOOK, timeOf(member, context)),
    shellOf(member, context),
  ]);
  const isManaged = view?.kind === "POD" || view?.kind === "INCOME_SOURCE";
  if (!view || !isManaged || view.closedAt) notFound();
  const href = accountHref(id);
  return (
    <FocusFrame view={shell} actions={shellActions} back={{ href, label: view.name, waitingCount: 0 }}>
      {mayDecide(member.actor) ? (
        <CloseAccount
          view={view}
          blockers={await readClosingBlockers(services.pool, context.organizationId, id)}
          backHref={href}
          close={closeAccount.bind(null, id)}
        />
      ) : (
        <OwnersOnly what="close an account" backHref={href} />
      )}
    </FocusFrame>
  );
}
