import type { Metadata } from "next";
import { cookies } from "next/headers";
import { currentMember } from "@/app/auth/member";
import { shellActions } from "@/app/auth/shell-actions";
import { shellOf } from "@/app/page-setting";
import { inboxTitle } from "@/components/approvals/inbox-title";
import { LostScene } from "@/components/errors/lost-scene";
import { FindLink } from "@/components/palette/find-link";
import { Shell } from "@/components/shell/shell";
import { memberContext } from "@/lib/core/members/member-context";
import { getRuntime } from "@/lib/core/runtime";

export const metadata: Metadata = { title: "This channel leads nowhere" };

/** In the shell for members, with what waits for them; for everybody else with the way in alone. */
export default async function NotFound() {
  // Never while building: there is no request then, and no runtime.
  await cookies();
  const member = await currentMember();
  if (!member) {
    return (
      <main id="main" className="focus">
        <div className="lost lost-f">
          <LostScene ways={[{ href: "/sign-in", label: "Sign in" }]} />
        </div>
      </main>
    );
  }
  const shell = await shellOf(member, memberContext(getRuntime().services, member));
  const canDecide = shell.user.role === "OWNER" || shell.user.role === "CO_OWNER";
  return (
    <Shell view={shell} actions={shellActions} current={null}>
      <div className="lost">
        <LostScene
          ways={[
            { href: "/approvals", label: inboxTitle(shell.waitingCount, canDecide) },
            { href: "/", label: "Overview" },
          ]}
        >
          <li>
            <FindLink />
            <span>
              <kbd>⌘</kbd> <kbd>K</kbd>
            </span>
          </li>
        </LostScene>
      </div>
    </Shell>
  );
}
