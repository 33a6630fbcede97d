import type { Metadata } from "next";
import { WelcomePage } from "@/app/welcome/_components/welcome-page";
import { endOnboarding, getTestDeposit, openStarterPods } from "@/app/welcome/actions";
import { openStep } from "@/app/welcome/open-step";

export const metadata: Metadata = { title: "First steps" };

export default async function Page() {
  return openStep("/welcome", (view) => (
    <WelcomePage view={view} actions={{ openStarterPods, getTestDeposit, endOnboarding }} />
  ));
}
