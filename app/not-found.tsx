import type { Metadata } from "next";
import { cookies } from "next/headers";
import { currentMember } from "@/app/auth/member";
import { shellOf } from "@/app/page-setting";
import { pageClass } from "@/components/layout/page-class";
import { LostInShell } from "@/components/shell/lost-in-shell";
import { LostScene } from "@/components/shell/lost-scene";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";

export const metadata: Metadata = { title: "This channel leads nowhere" };

/**
 * With the shell for members, and only a sign-in link for others. Next includes it in every page's response, so it
 * stays small.
 */
export default async function NotFound() {
  // At build time there is no request and no runtime.
  await cookies();
  const member = await currentMember();
  if (!member) {
    return (
      <main id="main" className={pageClass({ frame: "focus" })}>
        <div className="max-w-180 mx-auto pt-12">
          <LostScene ways={[{ href: "/sign-in", label: "Sign in" }]} />
        </div>
      </main>
    );
  }
  const shell = await shellOf(member, memberContext(getRuntime().services, member));
  return <LostInShell view={shell} />;
}
