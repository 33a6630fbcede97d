import { SignFrame } from "@/components/auth/sign-frame";
import { SignInForms } from "@/components/auth/sign-in-forms";
import { Link } from "@/components/ui/link";
import type { SignInActions, SignInView } from "@/lib/contract/views/auth-view";

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
