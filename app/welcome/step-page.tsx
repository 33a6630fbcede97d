import type { ReactNode } from "react";
import { memberPage } from "@/app/member-page";
import { offersOf } from "@/app/welcome/offers";
import { Acting } from "@/components/act/acting";
import { OwnersOnly } from "@/components/parts/accounts/owners-only";
import { mayDecide } from "@/lib/core/shared/permits";
import { getRuntime } from "@/lib/next/runtime";
import { type OnboardingView, readOnboarding } from "@/lib/views/read-onboarding";

const LATER = { href: "/", label: "Finish later" };
const ALL_STEPS = { href: "/welcome", label: "First steps" };

/**
 * An onboarding step for owners and co-owners; other members see who may do it.
 * @param path of this page
 */
export function stepPage(path: string, draw: (view: OnboardingView) => ReactNode) {
  return memberPage({
    at: path,
    current: null,
    load: (reading) => readOnboarding(reading, offersOf(getRuntime())),
    back: () => (path === "/welcome" ? LATER : ALL_STEPS),
    show: ({ view, member }) =>
      mayDecide(member.actor) ? (
        <Acting>{draw(view)}</Acting>
      ) : (
        <OwnersOnly what="set up an organization" backHref="/" />
      ),
  });
}
