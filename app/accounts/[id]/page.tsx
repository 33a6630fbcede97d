import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { z } from "zod";
import { AccountPage } from "@/app/accounts/[id]/_components/account-page";
import { openAccountPage } from "@/app/accounts/account-page";
import { shellOf, timeOf } from "@/app/page-setting";
import { Shell } from "@/components/shell/shell";
import { payeeHref } from "@/lib/contract/hrefs";
import { getRuntime } from "@/lib/next/runtime";
import { readAccountPage } from "@/lib/views/accounts/read-account-page";
import { isPayee } from "@/lib/views/payees/read-payees";

export const metadata: Metadata = { title: "Account" };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[]>>;
}

const FILTERS = { in: "IN", out: "OUT" } as const;

const searchSchema = z.object({
  days: z.literal("90").optional().catch(undefined),
  show: z.enum(["in", "out"]).optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(500).catch(1),
  moving: z.literal("all").optional().catch(undefined),
});

/** One account. Its filters and chart period are in the URL. */
export default async function AccountRoute({ params, searchParams }: Props) {
  const { id, member, context } = await openAccountPage(params);
  const { days, show, page, moving } = searchSchema.parse(await searchParams);
  const look = {
    days: days ? (90 as const) : (30 as const),
    filter: show ? FILTERS[show] : "ALL",
    page,
    showsAllOnItsWay: moving === "all",
  } as const;
  const [view, shell] = await Promise.all([
    readAccountPage({ services: getRuntime().services, context, time: timeOf(member, context) }, id, look),
    shellOf(member, context),
  ]);
  if (!view && (await isPayee(getRuntime().services, context, id))) redirect(payeeHref(id));
  if (!view) notFound();
  return (
    <Shell view={shell} current="ACCOUNTS">
      <AccountPage view={view} />
    </Shell>
  );
}
