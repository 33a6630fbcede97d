import type { Metadata } from "next";
import { RulePage } from "@/app/welcome/_components/later-steps";
import { stepPage } from "@/app/welcome/step-page";

export const metadata: Metadata = { title: "First rule" };

export default stepPage("/welcome/rule", (view) => <RulePage view={view} />);
