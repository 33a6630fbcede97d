import type { Metadata } from "next";
import { cookies } from "next/headers";
import { currentMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf } from "@/app/page-setting";
import { inboxTitle } from "@/components/approvals/inbox-title";
import { LostScene } from "@/components/errors/lost-scene";
import { Everywhere } from "@/components/palette/everywhere";
import { FindLink } from "@/components/palette/find-link";
import { palettePlaceOf } from "@/components/shell/palette-place-of";
import { memberContext } from "@/lib/core/members/member-context";
import { getRuntime } from "@/lib/core/runtime";

export const metadata: Metadata = { title: "This channel leads nowhere" };

/**
 * Ways on for members, with what waits for them; for everybody else the way in alone. No rail and plain links: every page
 * carries what this one needs in the browser.
 */
export default async function NotFound() {
  // Never while building: there is no request then, and no runtime.
  await cookies();
  const member = await currentMember();
  if (!member) return <Lost ways={[{ href: "/sign-in", label: "Sign in" }]} />;
  const shell = await shellOf(member, memberContext(getRuntime().services, member));
  const place = palettePlaceOf(shell);
  return (
    <>
      <Lost
        ways={[
          { href: "/approvals", label: inboxTitle(shell.waitingCount, place.mayChange) },
          { href: "/", label: "Overview" },
        ]}
      >
        <li>
          <FindLink />
          <span>
            <kbd>⌘</kbd> <kbd>K</kbd>
          </span>
        </li>
      </Lost>
      <Everywhere
        place={place}
        setTheme={shellActions.setTheme}
        setSingleKeys={shellActions.setSingleKeys}
        live={null}
      />
    </>
  );
}

function Lost({ ways, children }: Parameters<typeof LostScene>[0]) {
  return (
    <main id="main" className="focus">
      <div className="lost lost-f">
        <LostScene ways={ways}>{children}</LostScene>
      </div>
    </main>
  );
}
