import type { FormAction } from "@/components/parts/sign-in/form-action";
import { ForgotForm, ResetForm } from "@/components/parts/sign-in/password-forms";
import { SignColumn, SignFrame } from "@/components/parts/sign-in/sign-frame";
import { Breakable } from "@/components/ui/breakable";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { LEDE, LINK, PAGE_TITLE } from "@/components/ui/text-styles";

interface ForgotPageProps {
  state: "ASKED" | "SENT" | "NO_MAIL";
  isSandbox: boolean;
  request: FormAction;
}

/** Requests a reset link. The answer never reveals whether an account exists. */
export function ForgotPage({ state, isSandbox, request }: ForgotPageProps) {
  return (
    <SignFrame isSandbox={isSandbox} foot={<SignInLink />}>
      <SignColumn>
        {state === "ASKED" ? (
          <>
            <h1 className={PAGE_TITLE}>Forgot your password?</h1>
            <p className={`${LEDE} mx-0 mt-2 mb-5`}>
              We will email you a link to set a new one. Your passkeys stay.
            </p>
            <ForgotForm request={request} />
          </>
        ) : null}
        {state === "SENT" ? (
          <>
            <h1 className={PAGE_TITLE}>Check your email</h1>
            <p className={`${LEDE} mx-0 mt-2 mb-5`}>
              If that address has an account, an email is on its way. Its link works once, for 30 minutes.
              Nothing arrived? Check the address and your spam folder.
            </p>
            <Link className={buttonClass({ kind: "outlined", wide: true })} href="/forgot">
              Ask again
            </Link>
          </>
        ) : null}
        {state === "NO_MAIL" ? (
          <>
            <h1 className={PAGE_TITLE}>This server cannot send email</h1>
            <p className={`${LEDE} mx-0 mt-2 mb-5`}>
              So it cannot send you a link. The operator can reset your sign-in with{" "}
              <code>npm run member:reset</code>, or set <code>SMTP_URL</code> to enable email.
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

export function ResetPage({ email, isSandbox, reset }: ResetPageProps) {
  return (
    <SignFrame isSandbox={isSandbox} foot={<SignInLink />}>
      <SignColumn>
        <h1 className={PAGE_TITLE}>Set a new password</h1>
        <p className={`${LEDE} mx-0 mt-2 mb-5`}>
          For <Breakable text={email} />. You will be signed out everywhere; passkeys, recovery codes and API
          keys stay.
        </p>
        <ResetForm email={email} reset={reset} />
      </SignColumn>
    </SignFrame>
  );
}

/** Used, expired and invalid links are indistinguishable. */
export function ResetOver({ isSandbox }: { isSandbox: boolean }) {
  return (
    <SignFrame isSandbox={isSandbox} foot={<SignInLink />}>
      <SignColumn>
        <h1 className={PAGE_TITLE}>This link no longer works</h1>
        <p className={`${LEDE} mx-0 mt-2 mb-5`}>
          A link works once, for 30 minutes. Your password is unchanged.
        </p>
        <Link className={buttonClass({ kind: "outlined", wide: true })} href="/forgot">
          Request another link
        </Link>
      </SignColumn>
    </SignFrame>
  );
}

export function ResetDone({ isSandbox }: { isSandbox: boolean }) {
  return (
    <SignFrame isSandbox={isSandbox}>
      <SignColumn>
        <h1 className={PAGE_TITLE}>Your password is changed</h1>
        <p className={`${LEDE} mx-0 mt-2 mb-5`}>
          You were signed out everywhere. We confirmed the change by email.
        </p>
        <Link className={buttonClass({ kind: "primary", size: "large", wide: true })} href="/sign-in">
          Sign in
        </Link>
      </SignColumn>
    </SignFrame>
  );
}

function SignInLink() {
  return (
    <p className="text-sm text-ink-3">
      Remember it?{" "}
      <Link className={LINK} href="/sign-in">
        Sign in
      </Link>
    </p>
  );
}
