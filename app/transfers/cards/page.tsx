import type { Metadata } from "next";
import { type ListProps, renderMovements } from "@/app/transfers/render-movements";

export const metadata: Metadata = { title: "Card transactions" };

export default function CardsPage(props: ListProps) {
  return renderMovements("CARDS", props);
}
