"use client";

import { LogOut } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { showBadge } from "@/components/live/live-count";
import { applyTheme } from "@/components/shell/apply-theme";
import { SwitchForm } from "@/components/shell/switch-form";
import { Button, buttonClass } from "@/components/ui/button";
import type { ShellActions, ShellView, Theme } from "@/lib/contract/views/shell-view";

const THEMES: { theme: Theme; label: string }[] = [
  { theme: "LIGHT", label: "Light" },
  { theme: "DARK", label: "Dark" },
  { theme: "SYSTEM", label: "Device" },
];

/** What the account menu opens: who the reader is, their organizations, the theme, and the way out. */
export function AccountPanel({ view, actions }: { view: ShellView; actions: ShellActions }) {
  const { user } = view;
  return (
    <>
      <p className="acct-w">
        <b>{user.name}</b>
        <span className="meta blk">{user.email}</span>
      </p>
      <Organizations view={view} />
      <a className={buttonClass({ kind: "outlined", wide: true })} href="/settings/security">
        How you sign in
      </a>
      <a className={buttonClass({ kind: "outlined", wide: true })} href="/settings/notifications">
        Notifications
      </a>
      <ThemeSwitch theme={view.theme} setTheme={actions.setTheme} />
      {/* What waits is nobody's business any more on a device that somebody else may use next. */}
      <form action={actions.signOut} onSubmit={() => showBadge(0)}>
        <Button kind="outlined" wide type="submit" worksWithoutScripts>
          <LogOut className="ic" />
          Sign out
        </Button>
      </form>
    </>
  );
}

function Organizations({ view }: { view: ShellView }) {
  const path = usePathname();
  if (view.organizations.length < 2) return null;
  // What is on the screen belongs to this organization, but for a program that asks to be connected to any.
  return (
    <SwitchForm next={path.startsWith("/connect/") ? path : "/"}>
      <ul className="acct-o" aria-label="Organizations">
        {view.organizations.map(({ id, name }) => (
          <li key={id}>
            <button
              type={id === view.organization.id ? "button" : "submit"}
              name="organization"
              value={id}
              aria-current={id === view.organization.id ? "true" : undefined}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </SwitchForm>
  );
}

interface ThemeSwitchProps {
  theme: Theme;
  setTheme: ShellActions["setTheme"];
}

/** Changes the theme at once and keeps it in a cookie, so that the next page is rendered in it. */
function ThemeSwitch({ theme, setTheme }: ThemeSwitchProps) {
  const [chosen, setChosen] = useState(theme);

  const choose = (next: Theme) => {
    setChosen(next);
    applyTheme(next, setTheme);
  };

  return (
    <fieldset className="seg acct-s">
      <legend className="vh">Theme</legend>
      {THEMES.map(({ theme: each, label }) => (
        <button key={each} type="button" aria-pressed={each === chosen} onClick={() => choose(each)}>
          {label}
        </button>
      ))}
    </fieldset>
  );
}
