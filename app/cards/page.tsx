import type { Metadata } from "next";
import { CardsList } from "@/app/cards/_components/cards-list";
import { memberPage } from "@/app/member-page";
import { cardsHref } from "@/lib/contract/search/list-search";
import { cardsSearchSchema } from "@/lib/contract/search/search-schemas";
import { getRuntime } from "@/lib/next/runtime";
import { listCards } from "@/lib/views/cards/list-cards";

export const metadata: Metadata = { title: "Cards" };

export default memberPage({
  search: (asked) => cardsSearchSchema.parse(asked),
  at: ({ page }) => cardsHref(page),
  current: "CARDS",
  load: (reading, search) => listCards(reading, getRuntime().cards, search),
  show: ({ view, shell, time }) => (
    <CardsList view={view} hasSandboxPage={shell.hasSandboxPage} time={time} />
  ),
});
