"use client";

import { ChevronsUpDown, LogOut } from "lucide-react";
import { useId, useTransition } from "react";
import { showBadge } from "@/components/live/app-badge";
import { ThemeSwitch } from "@/components/shell/theme-switch";
import { Button, buttonClass } from "@/components/ui/button";
import { Initials } from "@/components/ui/initials";
import { useDisclosure } from "@/components/ui/use-disclosure";
import type { ShellActions, ShellView } from "@/lib/contract/views/shell-view";

interface AccountMenuProps {
  view: ShellView;
  actions: ShellActions;
  look: "rail" | "topbar";
}

/** The reader: their organizations, the theme, and the way out. */
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
        <p className="acct-w">
          <b>{user.name}</b>
          <span className="meta blk">{user.email}</span>
        </p>
        <Organizations view={view} switchOrganization={actions.switchOrganization} />
        <a className={buttonClass({ kind: "outlined", wide: true })} href="/settings/security">
          How you sign in
        </a>
        <a className={buttonClass({ kind: "outlined", wide: true })} href="/settings/notifications">
          Notifications
        </a>
        <ThemeSwitch theme={view.theme} setTheme={actions.setTheme} />
        {/* What waits is nobody's business any more on a device that somebody else may use next. */}
        <form action={actions.signOut} onSubmit={() => showBadge(0)}>
          <Button kind="outlined" wide type="submit">
            <LogOut className="ic" />
            Sign out
          </Button>
        </form>
      </div>
    </div>
  );
}

interface OrganizationsProps {
  view: ShellView;
  switchOrganization: ShellActions["switchOrganization"];
}

function Organizations({ view, switchOrganization }: OrganizationsProps) {
  const [isSwitching, startSwitching] = useTransition();
  if (view.organizations.length < 2) return null;
  return (
    <ul className="acct-o" aria-label="Organizations">
      {view.organizations.map(({ id, name }) => {
        const isCurrent = id === view.organization.id;
        return (
          <li key={id}>
            <button
              type="button"
              aria-current={isCurrent ? "true" : undefined}
              disabled={isSwitching}
              onClick={() => (isCurrent ? undefined : startSwitching(() => switchOrganization(id)))}
            >
              {name}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
