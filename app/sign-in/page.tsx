import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { currentMember } from "@/app/auth/member";
import { returnPath } from "@/app/auth/return-path";
import {
  beginPasskeySignIn,
  signInWithPasskey,
  signInWithPassword,
  signInWithRecoveryCode,
} from "@/app/sign-in/actions";
import { SignInPage } from "@/components/auth/sign-in-page";
import { readHostName } from "@/lib/core/members/read-host-name";
import { getRuntime } from "@/lib/core/runtime";

export const metadata: Metadata = { title: "Sign in" };

interface PageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

/** Signs in, and comes back to the very screen that asked for it (`?next=`). */
export default async function Page({ searchParams }: PageProps) {
  const next = returnPath((await searchParams).next);
  if (await currentMember()) redirect(next);
  const { services, isSandbox } = getRuntime();
  return (
    <SignInPage
      view={{ organizationName: await readHostName(services), isSandbox }}
      actions={{
        beginPasskeySignIn,
        signInWithPassword: signInWithPassword.bind(null, next),
        signInWithPasskey: signInWithPasskey.bind(null, next),
        signInWithRecoveryCode: signInWithRecoveryCode.bind(null, next),
      }}
    />
  );
}
