import type { Metadata } from "next";
import { RulePage } from "@/app/welcome/_components/later-steps";
import { openStep } from "@/app/welcome/open-step";

export const metadata: Metadata = { title: "First rule" };

export default async function Page() {
  return openStep("/welcome/rule", (view) => <RulePage view={view} />);
}
