import { OrganizationForm } from "@/app/sign-up/organization/_components/organization-form";
import { QueryProvider } from "@/components/act/query-provider";
import { SandboxLine, SkipLink } from "@/components/layout/frame-parts";
import { pageClass } from "@/components/layout/page-class";
import { OnboardingStep } from "@/components/parts/onboarding/onboarding-step";
import { TopBar } from "@/components/shell/top-bar";
import type { OnboardingStepView } from "@/lib/views/read-onboarding";

interface OrganizationPageProps {
  personName: string;
  timeZones: string[];
  isSandbox: boolean;
}

/** Before sign-in: the account is created with the organization. */
export function OrganizationPage({ personName, timeZones, isSandbox }: OrganizationPageProps) {
  return (
    <>
      <SkipLink />
      <TopBar hasHome={false}>{isSandbox ? <SandboxLine place="topbar" /> : null}</TopBar>
      <main id="main" className={pageClass({ frame: "focus" })} tabIndex={-1}>
        {isSandbox ? <SandboxLine place="page" /> : null}
        <OnboardingStep
          steps={stepsFor(personName)}
          current="ORGANIZATION"
          title="Whose money it is"
          lede="An organization has accounts, rules and keys. You own this one and can invite others."
        >
          <div className="max-w-110">
            <QueryProvider>
              <OrganizationForm personName={personName} timeZones={timeZones} />
            </QueryProvider>
          </div>
        </OnboardingStep>
      </main>
    </>
  );
}

function stepsFor(personName: string): OnboardingStepView[] {
  const later = ["IDENTITY", "BANK", "PODS", "RULE", "KEY"] as const;
  return [
    { id: "YOU", isDone: true, note: personName, href: null },
    { id: "ORGANIZATION", isDone: false, note: null, href: null },
    ...later.map((id) => ({ id, isDone: false, note: id === "KEY" ? "Optional" : null, href: null })),
  ];
}
