import { Checklist, type ChecklistActions } from "@/components/onboarding/checklist";
import type { OnboardingView } from "@/lib/contract/views/onboarding-view";

/** Where signing up leads, and "Continue setup". */
export function WelcomePage({ view, actions }: { view: OnboardingView; actions: ChecklistActions }) {
  return (
    <div className="max-w-[880px]">
      <h1 className="h1">Set up {view.organization.name}</h1>
      <p className="lede mt-2 mb-8">
        In any order that the list allows. Overview shows it too, until you finish.
      </p>
      <Checklist view={view.checklist} actions={actions} />
    </div>
  );
}
