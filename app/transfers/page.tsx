import type { Metadata } from "next";
import { type ListProps, renderMovements } from "@/app/transfers/render-movements";

export const metadata: Metadata = { title: "Movements" };

export default function TransfersPage(props: ListProps) {
  return renderMovements("TRANSFERS", props);
}
