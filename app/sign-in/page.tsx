import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentSession } from "@/app/auth/member";
import { returnPath } from "@/app/auth/return-path";
import { SignInPage } from "@/app/sign-in/_components/sign-in-page";
import { readHostName } from "@/lib/core/shared/queue-message";
import { isSignUpOpen as isOpenForSignUp } from "@/lib/core/sign-in/sign-up";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "Sign in" };

interface PageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

/** `?next=`: the page to return to. */
export default async function Page({ searchParams }: PageProps) {
  const next = returnPath((await searchParams).next);
  if (await currentSession()) redirect(next);
  const { services, isSandbox, signUp } = getRuntime();
  const [organizationName, isSignUpOpen] = await Promise.all([
    readHostName(services),
    isOpenForSignUp(services, signUp),
  ]);
  // No accounts yet: the first visitor sets up the server.
  if (organizationName === null && isSignUpOpen) redirect("/sign-up");
  return <SignInPage view={{ organizationName, isSandbox, isSignUpOpen }} next={next} />;
}
