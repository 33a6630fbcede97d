import type { Metadata } from "next";
import { PayeeLinkOver, PayeeLinkPage } from "@/app/payee/[token]/_components/payee-link-page";
import { findPayeeLink } from "@/lib/core/payees/payee-link";
import { getRuntime } from "@/lib/next/runtime";

/** No referrer: the URL contains the secret. */
export const metadata: Metadata = { title: "Your account", referrer: "no-referrer" };

/** Opening the link changes nothing: mail scanners open links too. */
export default async function Page({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const { services, isSandbox } = getRuntime();
  const link = await findPayeeLink(services, token);
  if (!link) return <PayeeLinkOver isSandbox={isSandbox} />;
  return (
    <PayeeLinkPage
      organizationName={link.organizationName}
      isSandbox={isSandbox}
      needsAddress={services.bankCapabilities.requiresAddress}
      token={token}
    />
  );
}
