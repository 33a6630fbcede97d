import type { Metadata } from "next";
import { z } from "zod";
import { memberPage } from "@/app/member-page";
import { MayNotMove } from "@/app/transfers/new/_components/may-not-move";
import { MoveMoney } from "@/app/transfers/new/_components/move-money";
import { Crumb } from "@/components/layout/crumb";
import { PageHeadRow } from "@/components/layout/page-head";
import { Link } from "@/components/ui/link";
import { LINK, PAGE_TITLE } from "@/components/ui/text-styles";
import { MAXIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { readMovePage } from "@/lib/views/transfers/read-move-page";

export const metadata: Metadata = { title: "Move money" };

/** Invalid parameters are ignored: the URL only fills in fields; opening it changes nothing. */
const prefillSchema = z.object({
  from: z.uuid().toLowerCase().nullable().catch(null),
  to: z.uuid().toLowerCase().nullable().catch(null),
  amountInCents: z.coerce.number().int().min(1).max(MAXIMUM_TRANSFER_IN_CENTS).nullable().catch(null),
});

export default memberPage({
  search: (asked) => prefillSchema.parse(asked),
  at: pathOf,
  current: "MOVEMENTS",
  load: (reading, { from, to, amountInCents }) =>
    readMovePage(reading, { sourceAccountId: from, destinationAccountId: to, amountInCents }),
  show: ({ view }) => (
    <>
      <Crumb ways={[{ href: "/transfers", label: "Movements" }]} here="Move money" />
      <PageHeadRow>
        <div>
          <h1 className={PAGE_TITLE}>Move money</h1>
          {view.viewer.canMove ? (
            <p className="mt-1.5 text-ink-2">
              Several payments at once?{" "}
              <Link className={LINK} href="/transfers/batch">
                Move money from a file
              </Link>
            </p>
          ) : null}
        </div>
      </PageHeadRow>
      {view.viewer.canMove ? <MoveMoney view={view} /> : <MayNotMove viewer={view.viewer} />}
    </>
  ),
});

/** Returns here after sign-in, with the fields filled in. */
function pathOf(prefill: z.infer<typeof prefillSchema>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(prefill)) if (value !== null) query.set(name, String(value));
  const text = query.toString();
  return text ? `/transfers/new?${text}` : "/transfers/new";
}
