import type { Metadata } from "next";
import { openFirstPods } from "@/app/welcome/actions";
import { openStep } from "@/app/welcome/open-step";
import { PodsPage } from "@/components/onboarding/later-steps";

export const metadata: Metadata = { title: "First pods" };

export default async function Page() {
  return openStep("/welcome/pods", (view) => <PodsPage view={view} open={openFirstPods} />);
}
