import type { Metadata } from "next";
import { FinishLink } from "@/app/accounts/connect/return/_components/finish-link";
import { requireMember } from "@/app/auth/member";
import { shellOf } from "@/app/page-setting";
import { ConnectCrumb } from "@/components/parts/connections/connect-words";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "Back from your bank" };

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The redirect target for banks that use their own sign-in page. Opening it connects nothing. */
export default async function ReturnPage({ searchParams }: PageProps) {
  const { oauth_state_id: state } = await searchParams;
  const query = typeof state === "string" ? `?oauth_state_id=${encodeURIComponent(state.slice(0, 200))}` : "";
  const member = await requireMember(`/accounts/connect/return${query}`);
  const shell = await shellOf(member, memberContext(getRuntime().services, member));
  return (
    <Shell view={shell} current="ACCOUNTS">
      <ConnectCrumb here="Back from your bank" />
      <FinishLink />
    </Shell>
  );
}
