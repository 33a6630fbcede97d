"use client";

import { ChevronsUpDown } from "lucide-react";
import { lazy, Suspense, useId } from "react";
import { useDisclosure } from "@/components/shell/use-disclosure";
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
