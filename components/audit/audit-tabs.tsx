import { Link } from "@/components/ui/link";

/** What programs requested, and what people did. */
export function AuditTabs({ current }: { current: "REQUESTS" | "ACTIVITY" }) {
  return (
    <nav className="ltabs" aria-label="Kind of record">
      <Link href="/audit" aria-current={current === "REQUESTS" ? "page" : undefined}>
        API requests
      </Link>
      <Link href="/audit/activity" aria-current={current === "ACTIVITY" ? "page" : undefined}>
        People’s activity
      </Link>
    </nav>
  );
}
