import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";

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
