import type { Metadata } from "next";
import { movementsPage } from "@/app/transfers/render-movements";

export const metadata: Metadata = { title: "Card transactions" };

export default movementsPage("CARDS");
