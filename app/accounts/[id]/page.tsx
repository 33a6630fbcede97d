import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { z } from "zod";
import { AccountPage } from "@/app/accounts/[id]/_components/account-page";
import { type Asked, askedId, memberPage } from "@/app/member-page";
import { type AccountLook, accountHref, payeeHref } from "@/lib/contract/hrefs";
import { readAccountPage } from "@/lib/views/accounts/read-account-page";
import { isPayee } from "@/lib/views/payees/read-payees";

export const metadata: Metadata = { title: "Account" };

const FILTERS = { in: "IN", out: "OUT" } as const;

const searchSchema = z.object({
  days: z.literal("90").optional().catch(undefined),
  show: z.enum(["in", "out"]).optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(500).catch(1),
  moving: z.literal("all").optional().catch(undefined),
});

/** One account. Its filters and chart period are in the URL. */
export default memberPage({
  search: (asked) => {
    const id = askedId(asked);
    return id === null ? null : { id, look: lookOf(asked) };
  },
  at: ({ id }) => accountHref(id),
  current: "ACCOUNTS",
  load: async (reading, { id, look }) => {
    const view = await readAccountPage(reading, id, look);
    if (!view && (await isPayee(reading, id))) redirect(payeeHref(id));
    return view;
  },
  show: ({ view }) => <AccountPage view={view} />,
});

function lookOf(asked: Asked): AccountLook {
  const { days, show, page, moving } = searchSchema.parse(asked);
  return {
    days: days ? 90 : 30,
    filter: show ? FILTERS[show] : "ALL",
    page,
    showsAllOnItsWay: moving === "all",
  };
}
