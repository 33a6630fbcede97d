import type { Metadata } from "next";
import { type ListProps, renderMovements } from "@/app/transfers/render-movements";
import "@/app/styles/pages/movements.css";

export const metadata: Metadata = { title: "Card transactions" };

export default function CardsPage(props: ListProps) {
  return renderMovements("CARDS", props);
}
