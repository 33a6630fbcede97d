import type { Metadata } from "next";
import { requireMember } from "@/app/auth/member";
import { shellOf, timeOf } from "@/app/page-setting";
import { PayeesList } from "@/app/payees/_components/payees-list";
import { Shell } from "@/components/shell/shell";
import { payeePlaceSchema } from "@/lib/contract/search/search-schemas";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { readPayees } from "@/lib/views/payees/read-payees";

export const metadata: Metadata = { title: "Payees" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function PayeesPage({ searchParams }: Props) {
  const { show } = payeePlaceSchema.parse(await searchParams);
  const member = await requireMember("/payees");
  const { services } = getRuntime();
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readPayees({ services, context, time: timeOf(member, context) }),
    shellOf(member, context),
  ]);
  return (
    <Shell view={shell} current="PAYEES">
      <PayeesList view={view} showsAll={show === "all"} />
    </Shell>
  );
}
