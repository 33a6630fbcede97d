import type { Metadata } from "next";
import { BankPage } from "@/app/welcome/_components/later-steps";
import { stepPage } from "@/app/welcome/step-page";

export const metadata: Metadata = { title: "Your bank" };

export default stepPage("/welcome/bank", (view) => <BankPage view={view} />);
