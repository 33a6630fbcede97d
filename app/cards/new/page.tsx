import type { Metadata } from "next";
import { CardCrumb, NewCard } from "@/app/cards/new/_components/new-card";
import { memberPage } from "@/app/member-page";
import { PageHead } from "@/components/layout/page-head";
import { getRuntime } from "@/lib/next/runtime";
import { readNewCard } from "@/lib/views/cards/read-new-card";

export const metadata: Metadata = { title: "Issue card" };

export default memberPage({
  at: "/cards/new",
  current: "CARDS",
  load: (reading) => readNewCard(reading, getRuntime().cards),
  show: ({ view }) => (
    <>
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
    </>
  ),
});
