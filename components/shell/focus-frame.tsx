import type { ReactNode } from "react";
import { SandboxLine, SkipLink } from "@/components/layout/frame-parts";
import { pageClass } from "@/components/layout/page-class";
import { ShutBand } from "@/components/parts/gates/shut-band";
import { StopGates } from "@/components/parts/gates/stop-gates";
import { AccountMenu } from "@/components/shell/account-menu";
import { Everywhere } from "@/components/shell/everywhere";
import { FindButton } from "@/components/shell/find-button";
import { palettePlaceOf } from "@/components/shell/palette-place-of";
import { BackLink, TopBar } from "@/components/shell/top-bar";
import { Count } from "@/components/ui/count";
import type { ShellView } from "@/lib/views/read-shell";

interface FocusFrameProps {
  view: ShellView;
  /** E.g. back to the approvals, with the waiting count. */
  back: { href: string; label: string; waitingCount: number };
  children: ReactNode;
}

/** A page with one question and no rail. Plain links, minimal scripts: this page opens from messages on phones. */
export function FocusFrame({ view, back, children }: FocusFrameProps) {
  return (
    <>
      <SkipLink />
      <ShutBand view={view} />
      <TopBar>
        <BackLink href={back.href}>
          {/* On a narrow phone the words of the gates come first. */}
          <span className="max-[480px]:sr-only">{back.label}</span>
          {back.waitingCount > 0 ? <Count count={back.waitingCount} place="topbar" /> : null}
        </BackLink>
        {view.isSandbox ? <SandboxLine place="topbar" /> : null}
        <StopGates view={view} place="topbar" />
        <FindButton place="topbar" />
        <AccountMenu view={view} look="topbar" />
      </TopBar>
      <main id="main" className={pageClass({ frame: "focus" })} data-shown={view.shown} tabIndex={-1}>
        {view.isSandbox ? <SandboxLine place="page" /> : null}
        {children}
      </main>
      <Everywhere place={palettePlaceOf(view)} />
    </>
  );
}
