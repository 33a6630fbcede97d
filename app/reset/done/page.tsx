import type { Metadata } from "next";
import { ResetDone } from "@/components/parts/sign-in/password-pages";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "New password" };

export default function Page() {
  return <ResetDone isSandbox={getRuntime().isSandbox} />;
}
