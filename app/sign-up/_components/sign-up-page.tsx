import type { ReactNode } from "react";
import { SignUpCodeForm, SignUpForm } from "@/app/sign-up/_components/sign-up-forms";
import { SignColumn, SignFrame } from "@/components/parts/sign-in/sign-frame";
import { Breakable } from "@/components/ui/breakable";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { LEDE, LINK, PAGE_TITLE } from "@/components/ui/text-styles";

type SignUpState =
  | { kind: "ASKED"; isFirst: boolean }
  /** `isInMailbox`: no mail server is configured; /mailbox shows the code on this machine. */
  | { kind: "CODE_SENT"; email: string; isInMailbox: boolean }
  | { kind: "CLOSED" }
  | { kind: "NO_MAIL"; isFirst: boolean };

interface SignUpPageProps {
  state: SignUpState;
  isSandbox: boolean;
}

/** Creates an account with a verified address. */
export function SignUpPage({ state, isSandbox }: SignUpPageProps) {
  return (
    <SignFrame isSandbox={isSandbox} foot={<p className="text-sm text-ink-3">{footOf(state)}</p>}>
      <SignColumn>{columnOf(state)}</SignColumn>
    </SignFrame>
  );
}

function columnOf(state: SignUpState): ReactNode {
  switch (state.kind) {
    case "ASKED":
      return (
        <>
          <h1 className={PAGE_TITLE}>{state.isFirst ? "Set up this Sluice" : "Create an account"}</h1>
          <p className={`${LEDE} mx-0 mt-2 mb-5`}>
            {state.isFirst
              ? "There are no accounts yet. The first person to sign up owns this server’s organization."
              : "You will create your own organization. To join an existing one, ask for an invitation."}
          </p>
          <SignUpForm />
        </>
      );
    case "CODE_SENT":
      return (
        <>
          <h1 className={PAGE_TITLE}>Check your email</h1>
          <p className={`${LEDE} mx-0 mt-2 mb-5`}>
            We sent a code to <Breakable text={state.email} />. Enter it here, in this browser.
          </p>
          {state.isInMailbox ? (
            <p className="mt-3 mb-6">
              This server sends no email.{" "}
              <a className={LINK} href="/mailbox" target="_blank" rel="noopener">
                Open the mailbox
              </a>{" "}
              on the machine that runs Sluice. It shows the code.
            </p>
          ) : null}
          <SignUpCodeForm />
        </>
      );
    case "CLOSED":
      return (
        <>
          <h1 className={PAGE_TITLE}>Sign-up is closed</h1>
          <p className={`${LEDE} mx-0 mt-2 mb-5`}>
            This server already has an owner. Ask an owner or co-owner for an invitation. The operator can
            open sign-up with <code>SLUICE_SIGNUP=open</code>.
          </p>
          <Link className={buttonClass({ kind: "outlined", wide: true })} href="/sign-in">
            Sign in
          </Link>
        </>
      );
    case "NO_MAIL":
      return (
        <>
          <h1 className={PAGE_TITLE}>This server cannot send email</h1>
          <p className={`${LEDE} mx-0 mt-2 mb-5`}>
            So no one can verify an address here. The operator can set <code>SMTP_URL</code> and restart it
            {state.isFirst ? (
              <>
                , or create the first organization without email: <code>npm run setup</code>
              </>
            ) : null}
            .
          </p>
          <Link className={buttonClass({ kind: "outlined", wide: true })} href="/sign-in">
            Sign in
          </Link>
        </>
      );
  }
}

function footOf(state: SignUpState): ReactNode {
  if (state.kind === "CLOSED" || state.kind === "NO_MAIL") return null;
  return (
    <>
      Have an account?{" "}
      <Link className={LINK} href="/sign-in">
        Sign in
      </Link>
    </>
  );
}
