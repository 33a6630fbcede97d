"use client";

import { useState } from "react";
import { applyTheme } from "@/components/shell/apply-theme";
import type { ShellActions, Theme } from "@/lib/contract/views/shell-view";

const THEMES: { theme: Theme; label: string }[] = [
  { theme: "LIGHT", label: "Light" },
  { theme: "DARK", label: "Dark" },
  { theme: "SYSTEM", label: "Device" },
];

interface ThemeSwitchProps {
  theme: Theme;
  setTheme: ShellActions["setTheme"];
}

/** Changes the theme at once and keeps it in a cookie, so that the next page is rendered in it. */
export function ThemeSwitch({ theme, setTheme }: ThemeSwitchProps) {
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
