"use client";

import { usePathname } from "next/navigation";
import { inboxTitle } from "@/components/parts/approvals/proposal-words";
import { FindLink } from "@/components/shell/find-button";
import { LostScene } from "@/components/shell/lost-scene";
import { palettePlaceOf } from "@/components/shell/palette-place-of";
import { Shell } from "@/components/shell/shell";
import { SwitchForm } from "@/components/shell/switch-form";
import { LINK_BUTTON } from "@/components/ui/text-styles";
import type { ShellView } from "@/lib/views/read-shell";

interface LostPageProps {
  view: ShellView;
}

/** In the usual shell, with links onward, also to the same path in another organization. */
export function LostPage({ view }: LostPageProps) {
  const path = usePathname();
  const waiting = inboxTitle(view.waitingCount, palettePlaceOf(view).mayChange);
  return (
    <Shell view={view} current={null}>
      <div className="max-w-180">
        <LostScene
          ways={[
            { href: "/approvals", label: waiting },
            { href: "/", label: "Overview" },
          ]}
        >
          <li>
            <FindLink />
            <span>
              <kbd>⌘</kbd> <kbd>K</kbd>
            </span>
          </li>
          {view.organizations
            .filter(({ id }) => id !== view.organization.id)
            .map(({ id, name }) => (
              <li key={id}>
                <SwitchForm shown={view.shown} next={path}>
                  <button className={LINK_BUTTON} type="submit" name="organization" value={id}>
                    Look for it in {name}
                  </button>
                </SwitchForm>
              </li>
            ))}
        </LostScene>
      </div>
    </Shell>
  );
}
