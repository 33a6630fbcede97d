import type { Metadata } from "next";
import { WelcomePage } from "@/app/welcome/_components/welcome-page";
import { openStep } from "@/app/welcome/open-step";

export const metadata: Metadata = { title: "First steps" };

export default async function Page() {
  return openStep("/welcome", (view) => <WelcomePage view={view} />);
}
