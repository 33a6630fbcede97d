import type { Metadata } from "next";
import { type ListProps, renderMovements } from "@/app/transfers/render-movements";

export const metadata: Metadata = { title: "Outside transactions" };

export default function OutsidePage(props: ListProps) {
  return renderMovements("OUTSIDE", props);
}
