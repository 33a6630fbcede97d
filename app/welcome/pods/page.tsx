import type { Metadata } from "next";
import { PodsPage } from "@/app/welcome/_components/later-steps";
import { stepPage } from "@/app/welcome/step-page";

export const metadata: Metadata = { title: "First pods" };

export default stepPage("/welcome/pods", (view) => <PodsPage view={view} />);
