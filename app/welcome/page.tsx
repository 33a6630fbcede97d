import type { Metadata } from "next";
import { WelcomePage } from "@/app/welcome/_components/welcome-page";
import { stepPage } from "@/app/welcome/step-page";

export const metadata: Metadata = { title: "First steps" };

export default stepPage("/welcome", (view) => <WelcomePage view={view} />);
