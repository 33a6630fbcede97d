import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { CardCrumb, NewCard } from "@/app/cards/new/_components/new-card";
import { shellOf } from "@/app/page-setting";
import { PageHead } from "@/components/layout/page-head";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readNewCard } from "@/lib/views/cards/read-new-card";

export const metadata: Metadata = { title: "Issue card" };

export default async function NewCardPage() {
  const member = await requireMember("/cards/new");
  const { services, cards } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readNewCard({ services, context }, cards),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="CARDS">
      <CardCrumb here="Issue card" />
      {view.isOffered ? null : (
        <PageHead title="No cards are offered here" lede="No card network is configured beside the bank." />
      )}
      {view.isOffered && view.viewer.canDecide ? <NewCard view={view} /> : null}
      {view.isOffered && !view.viewer.canDecide ? (
        <PageHead
          title="Only owners and co-owners can issue cards"
          lede="A card lets money leave Sluice. Ask one of them to issue it."
        />
      ) : null}
    </Shell>
  );
}
