import type { Metadata } from "next";
import { AskedMandatePage } from "@/app/mandates/[id]/_components/asked-mandate-page";
import { MandatePage } from "@/app/mandates/[id]/_components/mandate-page";
import { askedId, memberPage } from "@/app/member-page";
import { Acting } from "@/components/act/acting";
import { mandateHref } from "@/lib/contract/hrefs";
import { readMandatePage } from "@/lib/views/mandates/read-mandate-page";

export const metadata: Metadata = { title: "Mandate" };

/** What one key may move by itself: one question while it waits for signatures, and what is left once it is in use. */
export default memberPage({
  search: askedId,
  at: mandateHref,
  current: "API_KEYS",
  load: readMandatePage,
  back: (view) => (view.kind === "ASKED" ? { href: view.key.href, label: view.key.name } : null),
  show: ({ view }) =>
    view.kind === "ASKED" ? (
      <Acting>
        <AskedMandatePage view={view} />
      </Acting>
    ) : (
      <MandatePage view={view} />
    ),
});
