"use client";

import { LogOut } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { signOut } from "@/app/auth/session-actions";
import { applyTheme } from "@/components/shell/apply-theme";
import { showBadge } from "@/components/shell/badge";
import { SwitchForm } from "@/components/shell/switch-form";
import { Breakable } from "@/components/ui/breakable";
import { Button, buttonClass } from "@/components/ui/button";
import { SEGMENTED_WIDE } from "@/components/ui/choice-class";
import { LiveButton } from "@/components/ui/live-button";
import { SUBLINE } from "@/components/ui/text-styles";
import type { Theme } from "@/lib/contract/browser/setting";
import type { ShellView } from "@/lib/views/read-shell";

const THEMES: { theme: Theme; label: string }[] = [
  { theme: "LIGHT", label: "Light" },
  { theme: "DARK", label: "Dark" },
  { theme: "SYSTEM", label: "Device" },
];

export function AccountPanel({ view }: { view: ShellView }) {
  const { user } = view;
  return (
    <>
      <p className="wrap-anywhere">
        <b>{user.name}</b>
        <span className={SUBLINE}>
          <Breakable text={user.email} />
        </span>
      </p>
      <Organizations view={view} />
      <a className={buttonClass({ kind: "outlined", wide: true })} href="/settings/security">
        Security
      </a>
      <a className={buttonClass({ kind: "outlined", wide: true })} href="/settings/notifications">
        Notifications
      </a>
      <ThemeSwitch theme={view.theme} />
      {/* Someone else may use this device next. */}
      <form action={signOut} onSubmit={() => showBadge(0)}>
        <Button kind="outlined" wide type="submit" worksWithoutScripts>
          <LogOut />
          Sign out
        </Button>
      </form>
    </>
  );
}

function Organizations({ view }: { view: ShellView }) {
  const path = usePathname();
  if (view.organizations.length < 2) return null;
  // Pages belong to one organization, except a program's request to connect to any.
  return (
    <SwitchForm shown={view.shown} next={path.startsWith("/connect/") ? path : "/"}>
      <ul
        className="max-h-55 py-1.5 px-0 border-t border-b border-rule overflow-y-auto [&_button]:w-full [&_button]:min-h-9 [&_button]:font-medium [&_button]:text-left [&_button]:text-ink-2 [&_button]:cursor-pointer [&_[aria-current]]:font-semibold [&_[aria-current]]:text-ink"
        aria-label="Organizations"
      >
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

/** Applies the theme at once and stores it in a cookie for the next render. */
function ThemeSwitch({ theme }: { theme: Theme }) {
  const [chosen, setChosen] = useState(theme);

  const choose = (next: Theme) => {
    setChosen(next);
    applyTheme(next);
  };

  return (
    <fieldset className={SEGMENTED_WIDE}>
      <legend className="sr-only">Theme</legend>
      {THEMES.map(({ theme: each, label }) => (
        <LiveButton key={each} aria-pressed={each === chosen} onClick={() => choose(each)}>
          {label}
        </LiveButton>
      ))}
    </fieldset>
  );
}
