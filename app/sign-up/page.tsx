import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentSession } from "@/app/auth/member";
import { readSignUpCookie } from "@/app/auth/sign-up-cookie";
import { SignUpPage } from "@/app/sign-up/_components/sign-up-page";
import { findSignUp, hasOrganization, isSignUpOpen } from "@/lib/core/sign-in/sign-up";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "Sign up" };

/** Closed after the first owner, unless the operator opens sign-up. */
export default async function Page() {
  if (await currentSession()) redirect("/");
  const { isSandbox } = getRuntime();
  return <SignUpPage state={await readState()} isSandbox={isSandbox} />;
}

async function readState() {
  const { services, signUp, mailWay } = getRuntime();
  if (!(await isSignUpOpen(services, signUp))) return { kind: "CLOSED" as const };
  const isFirst = !(await hasOrganization(services));
  if (mailWay === "NONE") return { kind: "NO_MAIL" as const, isFirst };
  const token = await readSignUpCookie();
  const begun = token === null ? null : await findSignUp(services, token);
  if (begun?.isVerified) redirect("/sign-up/organization");
  if (!begun) return { kind: "ASKED" as const, isFirst };
  return { kind: "CODE_SENT" as const, email: begun.email, isInMailbox: mailWay === "MAILBOX" };
}
