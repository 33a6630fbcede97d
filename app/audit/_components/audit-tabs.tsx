import { Link } from "@/components/ui/link";
import { tabClass, tabListClass } from "@/components/ui/tabs";

/** What programs requested, and what people did. */
export function AuditTabs({ current }: { current: "REQUESTS" | "ACTIVITY" }) {
  return (
    <nav className={tabListClass({ kind: "page" })} aria-label="Kind of record">
      <Link
        className={tabClass({ kind: "page" })}
        href="/audit"
        aria-current={current === "REQUESTS" ? "page" : undefined}
      >
        API requests
      </Link>
      <Link
        className={tabClass({ kind: "page" })}
        href="/audit/activity"
        aria-current={current === "ACTIVITY" ? "page" : undefined}
      >
        People’s activity
      </Link>
    </nav>
  );
}
