"use client";

import { lazy, type ReactNode, Suspense, useId } from "react";
import { useDisclosure } from "@/components/shell/use-disclosure";
import { LiveButton } from "@/components/ui/live-button";
import type { ShellView } from "@/lib/views/read-shell";

// On every page, rarely opened: its contents are loaded lazily.
const AccountPanel = lazy(() =>
  import("@/components/shell/account-panel").then((module) => ({ default: module.AccountPanel })),
);

interface AccountDisclosureProps {
  view: ShellView;
  classNames: { frame: string; button: string; panel: string };
  /** The button's content. */
  children: ReactNode;
}

/** The account's button and its panel. Looks come from the server, so that every page's scripts stay small. */
export function AccountDisclosure({ view, classNames, children }: AccountDisclosureProps) {
  const { isOpen, setIsOpen, frame, button } = useDisclosure();
  const panelId = useId();
  return (
    <div className={classNames.frame} ref={frame}>
      <LiveButton
        ref={button}
        className={classNames.button}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
      >
        {children}
      </LiveButton>
      <div className={classNames.panel} id={panelId} hidden={!isOpen}>
        {isOpen ? (
          <Suspense>
            <AccountPanel view={view} />
          </Suspense>
        ) : null}
      </div>
    </div>
  );
}
