import Link from "next/link";
import type { ReactNode } from "react";
import { type AcceptActions, AcceptForms } from "@/components/members/accept-forms";
import { SandboxLine } from "@/components/shell/sandbox-line";
import { SignInScene } from "@/components/sluice/sign-in-scene";
import { Mark } from "@/components/ui/brand";
import { buttonClass } from "@/components/ui/button";
import { ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";
import type { InvitationView } from "@/lib/contract/views/members-view";

interface InvitationPageProps {
  view: InvitationView;
  actions: AcceptActions;
}

/** Who invites to what, and the way to join. */
export function InvitationPage({ view, actions }: InvitationPageProps) {
  const { organizationName, invitedByName, email, role } = view;
  return (
    <InvitationFrame isSandbox={view.isSandbox}>
      <h1 className="h1">Join {organizationName}?</h1>
      <p className="lede inv-w">
        {invitedByName} invites {email}. Your role would be {ROLE_WORD[role].toLowerCase()}:{" "}
        {ROLE_DOES[role].toLowerCase()}.
      </p>
      <AcceptForms reader={view.reader} email={email} organizationName={organizationName} actions={actions} />
    </InvitationFrame>
  );
}

interface InvitationOverProps {
  isSandbox: boolean;
  isSignedIn: boolean;
}

/** For a link that was used, withdrawn, or is too old; which of these is not said. */
export function InvitationOver({ isSandbox, isSignedIn }: InvitationOverProps) {
  return (
    <InvitationFrame isSandbox={isSandbox}>
      <h1 className="h1">This invitation works no longer</h1>
      <p className="lede inv-w">
        A link works once and for 7 days, and it can be withdrawn. If you have joined, sign in; otherwise ask
        whoever invited you to send it again.
      </p>
      <Link className={buttonClass({ kind: "outlined", wide: true })} href={isSignedIn ? "/" : "/sign-in"}>
        {isSignedIn ? "To your approvals" : "Sign in"}
      </Link>
    </InvitationFrame>
  );
}

function InvitationFrame({ isSandbox, children }: { isSandbox: boolean; children: ReactNode }) {
  return (
    <main className="sign">
      <div className="sign-f">
        <p className="brand sign-m">
          <Mark size={30} />
          <span>Sluice</span>
        </p>
        <div className="sign-b inv">{children}</div>
        <div>{isSandbox ? <SandboxLine place="topbar" /> : null}</div>
      </div>
      <div className="sign-a">
        <SignInScene />
        <p className="display">
          Nothing moves
          <br />
          until you say so.
        </p>
      </div>
    </main>
  );
}
