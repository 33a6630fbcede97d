import type { Metadata } from "next";
import { BankPage } from "@/app/welcome/_components/later-steps";
import { openStep } from "@/app/welcome/open-step";

export const metadata: Metadata = { title: "Your bank" };

export default async function Page() {
  return openStep("/welcome/bank", (view) => <BankPage view={view} />);
}
