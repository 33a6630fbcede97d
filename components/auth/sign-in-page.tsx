import { SecondFactorSteps } from "@/components/auth/second-factor-steps";
import { SignColumn, SignFrame } from "@/components/auth/sign-frame";
import { SignInForms } from "@/components/auth/sign-in-forms";
import { SwitchForm } from "@/components/shell/switch-form";
import { Link } from "@/components/ui/link";
import type {
  SecondFactorActions,
  SecondFactorView,
  SignInActions,
  SignInView,
} from "@/lib/contract/views/auth-view";

/** The page in front of all others. */
export function SignInPage({ view, actions }: { view: SignInView; actions: SignInActions }) {
  return (
    <SignFrame
      isSandbox={view.isSandbox}
      foot={
        <p className="meta">
          {view.organizationName ? `Hosted by ${view.organizationName}. ` : null}
          <Link className="link" href="/forgot">
            Forgot your password?
          </Link>
          {view.isSignUpOpen ? (
            <>
              {" "}
              <Link className="link" href="/sign-up">
                Create an account
              </Link>
            </>
          ) : null}
        </p>
      }
    >
      <SignInForms organizationName={view.organizationName} actions={actions} />
    </SignFrame>
  );
}

interface SecondFactorPageProps {
  view: SecondFactorView;
  actions: SecondFactorActions;
}

/** In front of an organization that asks for more than a password: the way in, to another one, and out. */
export function SecondFactorPage({ view, actions }: SecondFactorPageProps) {
  return (
    <SignFrame
      shown={view.shown}
      isSandbox={view.isSandbox}
      foot={
        <>
          {view.others.map(({ id, name }) => (
            <SwitchForm key={id} next="/">
              <button className="link lb" type="submit" name="organization" value={id}>
                Go to {name}
              </button>
            </SwitchForm>
          ))}
          <form className="meta" action={actions.signOut}>
            Signed in as {view.email}.{" "}
            <button className="link lb" type="submit">
              Sign out
            </button>
          </form>
        </>
      }
    >
      <SignColumn>
        <SecondFactorSteps organizationName={view.organizationName} step={view.step} actions={actions} />
      </SignColumn>
    </SignFrame>
  );
}
