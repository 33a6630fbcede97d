import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { CardsList } from "@/app/cards/_components/cards-list";
import { shellOf, timeOf } from "@/app/page-setting";
import { Shell } from "@/components/shell/shell";
import { cardsHref } from "@/lib/contract/search/list-search";
import { cardsSearchSchema } from "@/lib/contract/search/search-schemas";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { listCards } from "@/lib/views/cards/list-cards";

export const metadata: Metadata = { title: "Cards" };

export default async function CardsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const search = cardsSearchSchema.parse(await searchParams);
  const member = await requireMember(cardsHref(search.page));
  const { services, cards } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    listCards({ services, context }, cards, search),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="CARDS">
      <CardsList view={view} hasSandboxPage={shell.hasSandboxPage} time={timeOf(member, context)} />
    </Shell>
  );
}
