import type { Metadata } from "next";
import { movementsPage } from "@/app/transfers/render-movements";

export const metadata: Metadata = { title: "Movements" };

export default movementsPage("TRANSFERS");
