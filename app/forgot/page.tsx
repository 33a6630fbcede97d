import type { Metadata } from "next";
import { ForgotPage } from "@/components/parts/sign-in/password-pages";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "Forgot your password" };

interface PageProps {
  searchParams: Promise<{ sent?: string | string[] }>;
}

export default async function Page({ searchParams }: PageProps) {
  const { isSandbox, mailWay } = getRuntime();
  const isSent = (await searchParams).sent !== undefined;
  const state = mailWay === "NONE" ? "NO_MAIL" : isSent ? "SENT" : "ASKED";
  return <ForgotPage state={state} isSandbox={isSandbox} />;
}
