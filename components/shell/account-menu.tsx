"use client";

import { ChevronsUpDown, Menu } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from "react";
import { Initials } from "@/components/ui/initials";
import type { ShellActions, ShellView } from "@/lib/contract/views/shell-view";

// On every page, rarely opened: its contents are loaded lazily.
const AccountPanel = lazy(() =>
  import("@/components/shell/account-panel").then((module) => ({ default: module.AccountPanel })),
);

interface AccountMenuProps {
  view: ShellView;
  actions: ShellActions;
  look: "rail" | "topbar";
}

export function AccountMenu({ view, actions, look }: AccountMenuProps) {
  const { isOpen, setIsOpen, frame, button } = useDisclosure();
  const panelId = useId();
  const { user, organization } = view;
  return (
    <div className={`acct acct-${look}`} ref={frame}>
      <button
        ref={button}
        className={look === "topbar" ? "who who-s" : "who"}
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className="vh">Account: {look === "topbar" ? user.name : null}</span>
        {look === "topbar" ? <span className="who-x">{organization.name}</span> : null}
        <Initials name={user.name} />
        {look === "rail" ? (
          <>
            <span className="who-t">
              <b>{user.name}</b>
              <span>{organization.name}</span>
            </span>
            <ChevronsUpDown className="ic" />
          </>
        ) : null}
      </button>
      <div className="acct-p" id={panelId} hidden={!isOpen}>
        {isOpen ? (
          <Suspense>
            <AccountPanel view={view} actions={actions} />
          </Suspense>
        ) : null}
      </div>
    </div>
  );
}

/** The last tab on phones: opens the pages without a tab. */
export function MoreMenu({ isCurrent, children }: { isCurrent: boolean; children: ReactNode }) {
  const { isOpen, setIsOpen, frame, button } = useDisclosure();
  const panelId = useId();
  return (
    <div className="more" ref={frame}>
      <button
        ref={button}
        className="more-b"
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        data-current={isCurrent || undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Menu className="ic" />
        More
      </button>
      <div className="more-p" id={panelId} hidden={!isOpen}>
        {children}
      </div>
    </div>
  );
}

/** Esc or a press outside closes the panel; Esc returns the focus. */
function useDisclosure() {
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    if (!isOpen) return;
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape") return;
        setIsOpen(false);
        button.current?.focus();
      },
      { signal },
    );
    document.addEventListener(
      "pointerdown",
      (event) => {
        const isInside = event.target instanceof Node && frame.current?.contains(event.target);
        if (!isInside) setIsOpen(false);
      },
      { signal },
    );
    return () => stop.abort();
  }, [isOpen]);

  return { isOpen, setIsOpen, frame, button };
}
