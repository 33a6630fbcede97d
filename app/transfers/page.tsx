import type { Metadata } from "next";
import { type ListProps, renderMovements } from "@/app/transfers/render-movements";
import "@/app/styles/pages/movements.css";

export const metadata: Metadata = { title: "Movements" };

export default function TransfersPage(props: ListProps) {
  return renderMovements("TRANSFERS", props);
}
