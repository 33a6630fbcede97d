import type { ReactNode } from "react";
import { PageHead } from "@/components/layout/page-head";
import { Link } from "@/components/ui/link";
import { POLICY_HREF } from "@/lib/contract/hrefs";

export type SettingsPlace =
  | "ORGANIZATION"
  | "POLICY"
  | "BENEFICIARIES"
  | "NOTIFICATIONS"
  | "SECURITY"
  | "YEAR_END"
  | "FRAUD_MONITORING"
  | "HELP";

const PLACES: readonly { place: SettingsPlace; label: string; href: string }[] = [
  { place: "ORGANIZATION", label: "Organization", href: "/settings" },
  { place: "POLICY", label: "Who must approve", href: POLICY_HREF },
  { place: "BENEFICIARIES", label: "Beneficiaries", href: "/settings/beneficiaries" },
  { place: "NOTIFICATIONS", label: "Notifications", href: "/settings/notifications" },
  { place: "SECURITY", label: "Security", href: "/settings/security" },
  { place: "YEAR_END", label: "Year-end", href: "/settings/year-end" },
  { place: "FRAUD_MONITORING", label: "Fraud monitoring", href: "/settings/fraud-monitoring" },
  { place: "HELP", label: "Help", href: "/help" },
];

interface SettingsFrameProps {
  current: SettingsPlace;
  /** Sections; the frame has the page's title. */
  children: ReactNode;
}

export function SettingsFrame({ current, children }: SettingsFrameProps) {
  return (
    <>
      <PageHead title="Settings" />
      <div className="grid grid-cols-[168px_minmax(0,1fr)] items-start gap-14 max-sm:grid-cols-1 max-sm:gap-7">
        <nav
          className="grid sticky top-8 [&_a]:relative [&_a]:py-2 [&_a]:pr-0 [&_a]:pl-3.5 [&_a]:border-l [&_a]:border-rule-strong [&_a]:font-medium [&_a]:text-ink-2 [&_a:hover]:text-ink [&_a[aria-current]]:font-semibold [&_a[aria-current]]:text-ink [&_a[aria-current]]:before:absolute [&_a[aria-current]]:before:inset-y-2 [&_a[aria-current]]:before:-left-0.75 [&_a[aria-current]]:before:w-1.25 [&_a[aria-current]]:before:bg-teal max-sm:flex max-sm:static max-sm:flex-wrap max-sm:gap-x-5 max-sm:border-b max-sm:border-rule-strong max-sm:[&_a]:inline-flex max-sm:[&_a]:items-center max-sm:[&_a]:min-h-11 max-sm:[&_a]:p-0 max-sm:[&_a]:border-l-0 max-sm:[&_a[aria-current]]:before:inset-x-0 max-sm:[&_a[aria-current]]:before:top-auto max-sm:[&_a[aria-current]]:before:bottom-1 max-sm:[&_a[aria-current]]:before:w-auto max-sm:[&_a[aria-current]]:before:h-0.75"
          aria-label="Settings"
        >
          {PLACES.map(({ place, label, href }) => (
            <Link key={place} href={href} aria-current={place === current ? "page" : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <div className="min-w-0 [&>.section:first-child]:mt-0">{children}</div>
      </div>
    </>
  );
}
