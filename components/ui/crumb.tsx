import { Fragment } from "react";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";

interface CrumbProps {
  /** The pages above this one, the topmost first. */
  ways: readonly { href: string; label: string }[];
  here: string;
}

/** Breadcrumbs above a page's title. */
export function Crumb({ ways, here }: CrumbProps) {
  return (
    <p className="crumb">
      {ways.map(({ href, label }) => (
        <Fragment key={href}>
          <Link href={href}>{label}</Link>
          <ChevronIcon />
        </Fragment>
      ))}
      <span>{here}</span>
    </p>
  );
}
