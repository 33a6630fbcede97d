import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";

/** One way through the pages of a list; in its place, and without effect, where there is no further page. */
export function PagerLink({ href, children }: { href: string | null; children: string }) {
  const className = buttonClass({ kind: "outlined", size: "small" });
  if (!href) return <span className={`${className} is-off`}>{children}</span>;
  return (
    <Link className={className} href={href} scroll={false}>
      {children}
    </Link>
  );
}
