"use client";

import { LogOut } from "lucide-react";
import { useTransition } from "react";
import { showBadge } from "@/components/live/app-badge";
import { ThemeSwitch } from "@/components/shell/theme-switch";
import { Button, buttonClass } from "@/components/ui/button";
import type { ShellActions, ShellView } from "@/lib/contract/views/shell-view";

/** What the account menu opens: who the reader is, their organizations, the theme, and the way out. */
export function AccountPanel({ view, actions }: { view: ShellView; actions: ShellActions }) {
  const { user } = view;
  return (
    <>
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
    </>
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
