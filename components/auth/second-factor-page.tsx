import { SecondFactorSteps } from "@/components/auth/second-factor-steps";
import { SignColumn, SignFrame } from "@/components/auth/sign-frame";
import type { SecondFactorActions, SecondFactorView } from "@/lib/contract/views/auth-view";

interface SecondFactorPageProps {
  view: SecondFactorView;
  actions: SecondFactorActions;
}

/** In front of an organization that asks for more than a password: the way in, to another one, and out. */
export function SecondFactorPage({ view, actions }: SecondFactorPageProps) {
  return (
    <SignFrame
      isSandbox={view.isSandbox}
      foot={
        <>
          {view.others.map(({ id, name }) => (
            <form key={id} action={actions.switchOrganization.bind(null, id)}>
              <button className="link lb" type="submit">
                Go to {name}
              </button>
            </form>
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
