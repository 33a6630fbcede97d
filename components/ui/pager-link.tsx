import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

/** Stays in place, disabled, without a further page. */
export function PagerLink({ href, children }: { href: string | null; children: string }) {
  const className = buttonClass({ kind: "outlined", size: "small" });
  if (!href) return <span className={`${className} is-off`}>{children}</span>;
  return (
    <Link className={className} href={href} scroll={false}>
      {children}
    </Link>
  );
}
