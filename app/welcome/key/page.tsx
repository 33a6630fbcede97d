import type { Metadata } from "next";
import { endOnboarding } from "@/app/welcome/actions";
import { openStep } from "@/app/welcome/open-step";
import { KeyPage } from "@/components/onboarding/later-steps";

export const metadata: Metadata = { title: "First key" };

export default async function Page() {
  return openStep("/welcome/key", (view) => <KeyPage view={view} end={endOnboarding} />);
}
