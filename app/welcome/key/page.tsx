import type { Metadata } from "next";
import { KeyPage } from "@/app/welcome/_components/later-steps";
import { stepPage } from "@/app/welcome/step-page";

export const metadata: Metadata = { title: "First key" };

export default stepPage("/welcome/key", (view) => <KeyPage view={view} />);
