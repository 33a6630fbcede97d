import { Fragment } from "react";
import { ChevronIcon } from "@/components/ui/icons";
import { Link } from "@/components/ui/link";

interface CrumbProps {
  /** The pages above this one, the topmost first. */
  ways: readonly { href: string; label: string }[];
  here: string;
  /** For several long names. */
  wraps?: boolean;
}

/** Breadcrumbs above a page's title. */
export function Crumb({ ways, here, wraps = false }: CrumbProps) {
  return (
    <p
      className={`inline-flex items-center gap-2 min-h-6 mb-3 text-sm/5 text-ink-3 [&>svg]:size-3.5 print:hidden ${wraps ? "flex-wrap" : ""}`}
    >
      {ways.map(({ href, label }) => (
        <Fragment key={href}>
          <Link className="hover:text-ink max-sm:inline-flex max-sm:items-center max-sm:min-h-11" href={href}>
            {label}
          </Link>
          <ChevronIcon />
        </Fragment>
      ))}
      <span>{here}</span>
    </p>
  );
}
