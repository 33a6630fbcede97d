import Link from "next/link";
import { ChevronIcon } from "@/components/ui/icons";

/** The way back to the list of cards. */
export function CardCrumb({ here }: { here: string }) {
  return (
    <p className="crumb">
      <Link href="/cards">Cards</Link>
      <ChevronIcon />
      <span>{here}</span>
    </p>
  );
}
