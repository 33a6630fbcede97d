import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";

export type SettingsPlace =
  | "ORGANIZATION"
  | "BENEFICIARIES"
  | "NOTIFICATIONS"
  | "SECURITY"
  | "YEAR_END"
  | "HELP";

const PLACES: readonly { place: SettingsPlace; label: string; href: string }[] = [
  { place: "ORGANIZATION", label: "Organization", href: "/settings" },
  { place: "BENEFICIARIES", label: "Beneficiaries", href: "/settings/beneficiaries" },
  { place: "NOTIFICATIONS", label: "Notifications", href: "/settings/notifications" },
  { place: "SECURITY", label: "Security", href: "/settings/security" },
  { place: "YEAR_END", label: "Year-end", href: "/settings/year-end" },
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
      <div className="setg">
        <nav className="setn" aria-label="Settings">
          {PLACES.map(({ place, label, href }) => (
            <Link key={place} href={href} aria-current={place === current ? "page" : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <div className="setp">{children}</div>
      </div>
    </>
  );
}
