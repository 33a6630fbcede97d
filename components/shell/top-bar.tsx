import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { BRAND_CLASS, Mark } from "@/components/layout/brand";

interface TopBarProps {
  /** False before an organization exists: the logo leads nowhere. */
  hasHome?: boolean;
  children?: ReactNode;
}

/** Above a page without a rail. Plain links: the page may have been opened from a message, or be an error's. */
export function TopBar({ hasHome = true, children }: TopBarProps) {
  return (
    <header className="flex items-center gap-6 h-18 px-10 border-b-3 border-double border-rule-strong max-sm:gap-3 max-sm:h-15 max-sm:px-5 max-[481px]:gap-2 max-[341px]:gap-1 max-[341px]:px-3 print:hidden">
      {hasHome ? (
        <a className={BRAND_CLASS} href="/" aria-label="Sluice">
          <Logo />
        </a>
      ) : (
        <p className={BRAND_CLASS}>
          <Logo />
        </p>
      )}
      {children}
    </header>
  );
}

function Logo() {
  return (
    <>
      <Mark />
      <span className="max-sm:hidden">Sluice</span>
    </>
  );
}

export function BackLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      className="inline-flex items-center gap-2 min-h-11 px-2 font-medium text-ink-2 before:w-px before:h-5 before:mr-4 before:bg-rule-strong max-sm:before:mr-2 max-[481px]:before:hidden"
      href={href}
    >
      <ArrowLeft aria-hidden="true" />
      {children}
    </a>
  );
}
