import type { Metadata } from "next";
import { IdentityPage } from "@/app/welcome/identity/_components/identity-page";
import { stepPage } from "@/app/welcome/step-page";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "Identity check" };

export default stepPage("/welcome/identity", (view) => (
  <IdentityPage view={view} isSandbox={getRuntime().identity.isSandbox} />
));
