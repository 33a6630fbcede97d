import type { Metadata } from "next";
import { openStep } from "@/app/welcome/open-step";
import { BankPage } from "@/components/onboarding/later-steps";

export const metadata: Metadata = { title: "Your bank" };

export default async function Page() {
  return openStep("/welcome/bank", (view) => <BankPage view={view} />);
}
