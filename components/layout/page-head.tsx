import type { ReactNode } from "react";
import { PAGE_LEDE, PAGE_TITLE } from "@/components/ui/text-styles";

interface PageHeadProps {
  /** Preferably a sentence. */
  title: string;
  lede?: ReactNode;
  actions?: ReactNode;
  /** The margin below. */
  className?: string;
}

export function PageHead({ title, lede, actions, className }: PageHeadProps) {
  return (
    <PageHeadRow className={className}>
      <div>
        <h1 className={PAGE_TITLE}>{title}</h1>
        {lede ? <p className={PAGE_LEDE}>{lede}</p> : null}
      </div>
      {actions}
    </PageHeadRow>
  );
}

interface PageHeadRowProps {
  className?: string;
  /** Keeps the gap between both on phones. */
  isGridOnPhones?: boolean;
  children: ReactNode;
}

/** For heads that say more than a title and a sentence. */
export function PageHeadRow({ className = "mb-8", isGridOnPhones = false, children }: PageHeadRowProps) {
  const onPhones = isGridOnPhones ? "max-sm:grid" : "max-sm:block";
  return <div className={`flex items-end justify-between gap-6 ${onPhones} ${className}`}>{children}</div>;
}

const ACTIONS = "flex flex-none items-center gap-2 max-sm:flex-wrap max-sm:mt-4 print:hidden";

interface PageActionsProps {
  /** For links to other periods: a navigation with this name. */
  label?: string;
  className?: string;
  children: ReactNode;
}

/** The buttons at the right of a page's head. */
export function PageActions({ label, className = "", children }: PageActionsProps) {
  const classes = `${ACTIONS} ${className}`;
  if (label === undefined) return <div className={classes}>{children}</div>;
  return (
    <nav className={classes} aria-label={label}>
      {children}
    </nav>
  );
}

/** The ways on below a form or a notice. */
export function PageFoot({ className = "mt-10", children }: { className?: string; children: ReactNode }) {
  return <div className={`flex items-center gap-3 max-[381px]:flex-wrap ${className}`}>{children}</div>;
}
