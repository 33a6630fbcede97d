import type { Metadata } from "next";
import { type ListProps, renderMovements } from "@/app/transfers/render-movements";
import "@/app/styles/pages/movements.css";

export const metadata: Metadata = { title: "Outside transactions" };

export default function OutsidePage(props: ListProps) {
  return renderMovements("OUTSIDE", props);
}
