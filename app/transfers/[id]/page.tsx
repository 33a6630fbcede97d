import type { Metadata } from "next";
import { movementPage } from "@/app/transfers/render-movements";

export const metadata: Metadata = { title: "Transfer" };

export default movementPage("TRANSFERS");
