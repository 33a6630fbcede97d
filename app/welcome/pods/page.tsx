import type { Metadata } from "next";
import { PodsPage } from "@/app/welcome/_components/later-steps";
import { openStep } from "@/app/welcome/open-step";

export const metadata: Metadata = { title: "First pods" };

export default async function Page() {
  return openStep("/welcome/pods", (view) => <PodsPage view={view} />);
}
