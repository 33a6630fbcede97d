import type { Metadata } from "next";
import { ResetOver, ResetPage } from "@/components/parts/sign-in/password-pages";
import { findPasswordReset } from "@/lib/core/sign-in/reset-password";
import { getRuntime } from "@/lib/next/runtime";

/** No referrer: the URL contains the secret. */
export const metadata: Metadata = { title: "New password", referrer: "no-referrer" };

interface PageProps {
  params: Promise<{ token: string }>;
}

/** Opening the link does not use it up: mail scanners open links too. */
export default async function Page({ params }: PageProps) {
  const { token } = await params;
  const { services, isSandbox } = getRuntime();
  const found = await findPasswordReset(services, token);
  if (!found) return <ResetOver isSandbox={isSandbox} />;
  return <ResetPage email={found.email} isSandbox={isSandbox} token={token} />;
}
