import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { issueCard } from "@/app/cards/actions";
import { shellOf } from "@/app/page-setting";
import { beginPresence, confirmPresence } from "@/app/settings/security/actions";
import { CardCrumb, NewCard } from "@/components/cards/new-card";

import { Shell } from "@/components/shell/shell";
import { PageHead } from "@/components/ui/page-head";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readNewCard } from "@/lib/views/cards/read-new-card";
import "@/app/styles/pages/cards.css";

export const metadata: Metadata = { title: "Issue a card" };

/** Issues a card that spends from a pod. */
export default async function NewCardPage() {
  const member = await requireMember("/cards/new");
  const { services, cards } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([readNewCard(services, cards, context), shellOf(member, context)]);
  return (
    <Shell view={shell} actions={shellActions} current="CARDS">
      <CardCrumb here="Issue a card" />
      {view.viewer.canDecide ? (
        <NewCard view={view} actions={{ issueCard, beginPresence, confirmPresence }} />
      ) : (
        <PageHead
          title="Owners and co-owners issue cards"
          lede="A card is a new way out for money. Ask one of them to issue it for you."
        />
      )}
    </Shell>
  );
}
