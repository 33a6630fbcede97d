import type { Metadata } from "next";
import { KeyPage } from "@/app/welcome/_components/later-steps";
import { openStep } from "@/app/welcome/open-step";

export const metadata: Metadata = { title: "First key" };

export default async function Page() {
  return openStep("/welcome/key", (view) => <KeyPage view={view} />);
}
