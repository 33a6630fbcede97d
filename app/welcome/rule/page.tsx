import type { Metadata } from "next";
import { openStep } from "@/app/welcome/open-step";
import { RulePage } from "@/components/onboarding/later-steps";

export const metadata: Metadata = { title: "First rule" };

export default async function Page() {
  return openStep("/welcome/rule", (view) => <RulePage view={view} />);
}
