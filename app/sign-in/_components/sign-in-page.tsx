import { SignInForms } from "@/app/sign-in/_components/sign-in-forms";
import { SignFrame } from "@/components/parts/sign-in/sign-frame";
import { Link } from "@/components/ui/link";
import { LINK } from "@/components/ui/text-styles";

interface SignInPageProps {
  view: {
    /** Null before an organization exists. */
    organizationName: string | null;
    isSandbox: boolean;
    /** Whether anyone may create an account. */
    isSignUpOpen: boolean;
  };
  next: string;
}

export function SignInPage({ view, next }: SignInPageProps) {
  return (
    <SignFrame
      isSandbox={view.isSandbox}
      foot={
        <p className="text-sm text-ink-3">
          {view.organizationName ? `Hosted by ${view.organizationName}. ` : null}
          <Link className={LINK} href="/forgot">
            Forgot your password?
          </Link>
          {view.isSignUpOpen ? (
            <>
              {" "}
              <Link className={LINK} href="/sign-up">
                Create an account
              </Link>
            </>
          ) : null}
        </p>
      }
    >
      <SignInForms next={next} organizationName={view.organizationName} />
    </SignFrame>
  );
}
