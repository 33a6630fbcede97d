import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentSession } from "@/app/auth/member";
import { readSignUpCookie } from "@/app/auth/sign-up-cookie";
import { OrganizationPage } from "@/app/sign-up/organization/_components/organization-page";
import { findSignUp } from "@/lib/core/sign-in/sign-up";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "Your organization" };

/** Requires an address verified in this browser. */
export default async function Page() {
  if (await currentSession()) redirect("/");
  const { services, isSandbox } = getRuntime();
  const token = await readSignUpCookie();
  const signUp = token === null ? null : await findSignUp(services, token);
  if (!signUp?.isVerified) redirect("/sign-up");
  return (
    <OrganizationPage
      personName={signUp.name}
      timeZones={["UTC", ...Intl.supportedValuesOf("timeZone")]}
      isSandbox={isSandbox}
    />
  );
}
