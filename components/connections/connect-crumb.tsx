import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";

interface ConnectCrumbProps {
  /** The page between the accounts and here. */
  way?: { href: string; label: string };
  here: string;
}

/** The way back to the accounts. */
export function ConnectCrumb({ way, here }: ConnectCrumbProps) {
  return (
    <p className="crumb">
      <Link href="/accounts">Accounts</Link>
      <ChevronIcon />
      {way ? (
        <>
          <Link href={way.href}>{way.label}</Link>
          <ChevronIcon />
        </>
      ) : null}
      <span>{here}</span>
    </p>
  );
}
