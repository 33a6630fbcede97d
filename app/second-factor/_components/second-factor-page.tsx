import { signOut } from "@/app/auth/session-actions";
import {
  SecondFactorSteps,
  type SecondFactorView,
} from "@/app/second-factor/_components/second-factor-steps";
import { StepUpProvider } from "@/components/act/step-up";
import { SignColumn, SignFrame } from "@/components/parts/sign-in/sign-frame";
import { SwitchForm } from "@/components/shell/switch-form";
import { Breakable } from "@/components/ui/breakable";
import { LINK_BUTTON } from "@/components/ui/text-styles";

interface SecondFactorPageProps {
  view: SecondFactorView;
}

/** For an organization that requires a second factor: continue, switch organization, or sign out. */
export function SecondFactorPage({ view }: SecondFactorPageProps) {
  return (
    <SignFrame
      shown={view.shown}
      isSandbox={view.isSandbox}
      foot={
        <>
          {view.others.map(({ id, name }) => (
            <SwitchForm key={id} shown={view.shown} next="/">
              <button className={LINK_BUTTON} type="submit" name="organization" value={id}>
                Go to {name}
              </button>
            </SwitchForm>
          ))}
          <form className="text-sm text-ink-3" action={signOut}>
            Signed in as <Breakable text={view.email} />.{" "}
            <button className={LINK_BUTTON} type="submit">
              Sign out
            </button>
          </form>
        </>
      }
    >
      <SignColumn>
        <StepUpProvider>
          <SecondFactorSteps organizationName={view.organizationName} step={view.step} />
        </StepUpProvider>
      </SignColumn>
    </SignFrame>
  );
}
