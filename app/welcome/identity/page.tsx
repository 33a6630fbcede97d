import type { Metadata } from "next";
import { IdentityPage } from "@/app/welcome/identity/_components/identity-page";
import { openStep } from "@/app/welcome/open-step";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "Identity check" };

export default async function Page() {
  const { isSandbox } = getRuntime().identity;
  return openStep("/welcome/identity", (view) => <IdentityPage view={view} isSandbox={isSandbox} />);
}
