import type { Metadata } from "next";
import { type DetailProps, renderMovement } from "@/app/transfers/render-movements";

export const metadata: Metadata = { title: "Transfer" };

export default function TransfersMovementPage(props: DetailProps) {
  return renderMovement("TRANSFERS", props);
}
