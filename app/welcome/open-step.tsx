import type { ReactNode } from "react";
import { requireMember } from "@/app/auth/member";
import { shellOf } from "@/app/page-setting";
import { offersOf } from "@/app/welcome/offers";
import { Acting } from "@/components/act/acting";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { FocusFrame } from "@/components/shell/focus-frame";
import { mayDecide } from "@/lib/core/shared/permits";
import { memberContext } from "@/lib/core/sign-in/member-context";
import { getRuntime } from "@/lib/next/runtime";
import { type OnboardingView, readOnboarding } from "@/lib/views/read-onboarding";

const LATER = { href: "/", label: "Finish later" };
const ALL_STEPS = { href: "/welcome", label: "First steps" };

/**
 * An onboarding step for owners and co-owners; other members see who may do it.
 * @param path of this page
 */
export async function openStep(path: string, draw: (view: OnboardingView) => ReactNode): Promise<ReactNode> {
  const member = await requireMember(path);
  const runtime = getRuntime();
  const { services } = runtime;
  const context = memberContext(services, member);
  const [view, shell] = await Promise.all([
    readOnboarding({ services, context }, offersOf(runtime)),
    shellOf(member, context),
  ]);
  return (
    <FocusFrame view={shell} back={{ ...(path === "/welcome" ? LATER : ALL_STEPS), waitingCount: 0 }}>
      {mayDecide(member.actor) ? (
        <Acting>{draw(view)}</Acting>
      ) : (
        <OwnersOnly what="set up an organization" backHref="/" />
      )}
    </FocusFrame>
  );
}
