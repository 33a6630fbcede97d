import type { Metadata } from "next";
import { type DetailProps, renderMovement } from "@/app/transfers/render-movements";

export const metadata: Metadata = { title: "Card transaction" };

export default function CardsMovementPage(props: DetailProps) {
  return renderMovement("CARDS", props);
}
