import { Checklist } from "@/components/parts/onboarding/checklist";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import type { OnboardingView } from "@/lib/views/read-onboarding";

/** Where signing up leads, and "Continue setup". */
export function WelcomePage({ view }: { view: OnboardingView }) {
  return (
    <div className="max-w-[880px]">
      <h1 className={PAGE_TITLE}>Set up {view.organization.name}</h1>
      <p className={`${LEDE} mt-2 mb-8`}>
        In any order that the list allows. Overview shows it too, until you finish.
      </p>
      <Checklist view={view.checklist} />
    </div>
  );
}
