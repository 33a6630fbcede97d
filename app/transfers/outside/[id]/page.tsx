import type { Metadata } from "next";
import { type DetailProps, renderMovement } from "@/app/transfers/render-movements";

export const metadata: Metadata = { title: "Outside transaction" };

export default function OutsideMovementPage(props: DetailProps) {
  return renderMovement("OUTSIDE", props);
}
