import type { Metadata } from "next";
import { movementPage } from "@/app/transfers/render-movements";

export const metadata: Metadata = { title: "Card transaction" };

export default movementPage("CARDS");
