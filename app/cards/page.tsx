import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { closeCard, freezeCard, thawCard } from "@/app/cards/actions";
import { shellOf, timeOf } from "@/app/page-setting";
import { beginPresence, confirmPresence } from "@/app/settings/security/actions";
import { CardsList } from "@/components/cards/cards-list";
import { Shell } from "@/components/shell/shell";
import { listCards } from "@/lib/core/cards/list-cards";
import { memberContext } from "@/lib/core/members/member-context";
import { getRuntime } from "@/lib/core/runtime";

export const metadata: Metadata = { title: "Cards" };

/** Every card, with what is left of its month. */
export default async function CardsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const member = await requireMember("/cards");
  const { services, cards } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell, { issued }] = await Promise.all([
    listCards(services, cards, context),
    shellOf(member, context),
    searchParams,
  ]);
  return (
    <Shell view={shell} actions={shellActions} current="CARDS">
      <CardsList
        view={view}
        hasSandboxPage={shell.hasSandboxPage}
        issued={view.cards.find(({ id, status }) => id === issued && status === "ACTIVE") ?? null}
        time={timeOf(member, context)}
        actions={{ freezeCard, thawCard, closeCard, beginPresence, confirmPresence }}
      />
    </Shell>
  );
}
