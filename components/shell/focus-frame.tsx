import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { AccountMenu } from "@/components/shell/account-menu";
import { SandboxLine } from "@/components/shell/sandbox-line";
import { SkipLink } from "@/components/shell/skip-link";
import { Mark } from "@/components/ui/brand";
import type { ShellActions, ShellView } from "@/lib/contract/views/shell-view";

interface FocusFrameProps {
  view: ShellView;
  actions: ShellActions;
  /** The way back, e.g. the approvals with the number that waits. */
  back: { href: string; label: string; waitingCount: number };
  children: ReactNode;
}

/** A page with one question: logo, way back, reader. No rail. */
export function FocusFrame({ view, actions, back, children }: FocusFrameProps) {
  return (
    <>
      <SkipLink />
      <header className="topbar">
        <Link className="brand" href="/" aria-label="Sluice">
          <Mark />
          <span>Sluice</span>
        </Link>
        <Link className="back" href={back.href}>
          <ArrowLeft className="ic" />
          {back.label}
          {back.waitingCount > 0 ? (
            <span className="count">
              {back.waitingCount}
              <span className="vh"> waiting</span>
            </span>
          ) : null}
        </Link>
        {view.isSandbox ? <SandboxLine place="topbar" /> : null}
        <AccountMenu view={view} actions={actions} look="topbar" />
      </header>
      <main id="main" className="focus" tabIndex={-1}>
        {view.isSandbox ? <SandboxLine place="page" /> : null}
        {children}
      </main>
    </>
  );
}
