import { ForgotForm, ResetForm } from "@/components/auth/password-forms";
import { SignColumn, SignFrame } from "@/components/auth/sign-frame";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { FormAction } from "@/lib/contract/views/onboarding-view";

interface ForgotPageProps {
  state: "ASKED" | "SENT" | "NO_MAIL";
  isSandbox: boolean;
  request: FormAction;
}

/** Asks for a link to a new password. What it answers says nothing about who has an account. */
export function ForgotPage({ state, isSandbox, request }: ForgotPageProps) {
  return (
    <SignFrame isSandbox={isSandbox} foot={<SignInLink />}>
      <SignColumn>
        {state === "ASKED" ? (
          <>
            <h1 className="h1">Forgot your password?</h1>
            <p className="lede inv-w">
              A link to set a new one goes to your address. Passkeys are not touched.
            </p>
            <ForgotForm request={request} />
          </>
        ) : null}
        {state === "SENT" ? (
          <>
            <h1 className="h1">Look into your mail</h1>
            <p className="lede inv-w">
              If somebody signs in here with that address, an email is on its way. Its link works once, for 30
              minutes. Nothing came? Look at the address again, and among spam.
            </p>
            <Link className={buttonClass({ kind: "outlined", wide: true })} href="/forgot">
              Ask again
            </Link>
          </>
        ) : null}
        {state === "NO_MAIL" ? (
          <>
            <h1 className="h1">This server cannot send email</h1>
            <p className="lede inv-w">
              So it cannot send you a link. Whoever runs it can set how you sign in anew, with{" "}
              <code>npm run member:reset</code>; email works once they have set <code>SMTP_URL</code>.
            </p>
          </>
        ) : null}
      </SignColumn>
    </SignFrame>
  );
}

interface ResetPageProps {
  email: string;
  isSandbox: boolean;
  reset: FormAction;
}

/** Sets a new password with the link of an email. */
export function ResetPage({ email, isSandbox, reset }: ResetPageProps) {
  return (
    <SignFrame isSandbox={isSandbox} foot={<SignInLink />}>
      <SignColumn>
        <h1 className="h1">Set a new password</h1>
        <p className="lede inv-w">
          For {email}. It signs you out everywhere; passkeys, recovery codes and keys stay.
        </p>
        <ResetForm email={email} reset={reset} />
      </SignColumn>
    </SignFrame>
  );
}

/** For a link that was used, is too old, or is none; which of these is not said. */
export function ResetOver({ isSandbox }: { isSandbox: boolean }) {
  return (
    <SignFrame isSandbox={isSandbox} foot={<SignInLink />}>
      <SignColumn>
        <h1 className="h1">This link works no longer</h1>
        <p className="lede inv-w">A link works once and for 30 minutes. Your password is as it was.</p>
        <Link className={buttonClass({ kind: "outlined", wide: true })} href="/forgot">
          Ask for another link
        </Link>
      </SignColumn>
    </SignFrame>
  );
}

/** After it: they sign in with it, and with whatever else their sign-in takes. */
export function ResetDone({ isSandbox }: { isSandbox: boolean }) {
  return (
    <SignFrame isSandbox={isSandbox}>
      <SignColumn>
        <h1 className="h1">Your new password counts</h1>
        <p className="lede inv-w">You are signed out everywhere. An email tells you that it was changed.</p>
        <Link className={buttonClass({ kind: "primary", size: "large", wide: true })} href="/sign-in">
          Sign in
        </Link>
      </SignColumn>
    </SignFrame>
  );
}

function SignInLink() {
  return (
    <p className="meta">
      Know it again?{" "}
      <Link className="link" href="/sign-in">
        Sign in
      </Link>
    </p>
  );
}
