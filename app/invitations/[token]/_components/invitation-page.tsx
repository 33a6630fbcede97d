import { AcceptForms, type InvitationReader } from "@/app/invitations/[token]/_components/accept-forms";
import { SignColumn, SignFrame } from "@/components/parts/sign-in/sign-frame";
import { Breakable } from "@/components/ui/breakable";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { LEDE, PAGE_TITLE } from "@/components/ui/text-styles";
import { INVITATION_DAYS, type MemberRole, ROLE_DOES, ROLE_WORD } from "@/lib/contract/members";

interface InvitationPageProps {
  token: string;
  view: {
    organizationName: string;
    invitedByName: string;
    email: string;
    role: MemberRole;
    isSandbox: boolean;
    reader: InvitationReader;
  };
}

export function InvitationPage({ token, view }: InvitationPageProps) {
  const { organizationName, invitedByName, email, role } = view;
  return (
    <SignFrame isSandbox={view.isSandbox}>
      <SignColumn>
        <h1 className={PAGE_TITLE}>Join {organizationName}?</h1>
        <p className={`${LEDE} mx-0 mt-2 mb-5`}>
          {invitedByName} invites <Breakable text={email} />. Your role would be{" "}
          {ROLE_WORD[role].toLowerCase()}: {ROLE_DOES[role].toLowerCase()}.
        </p>
        <AcceptForms token={token} reader={view.reader} email={email} organizationName={organizationName} />
      </SignColumn>
    </SignFrame>
  );
}

interface InvitationOverProps {
  isSandbox: boolean;
  isSignedIn: boolean;
}

/** Used, withdrawn and expired links are indistinguishable. */
export function InvitationOver({ isSandbox, isSignedIn }: InvitationOverProps) {
  return (
    <SignFrame isSandbox={isSandbox}>
      <SignColumn>
        <h1 className={PAGE_TITLE}>This invitation no longer works</h1>
        <p className={`${LEDE} mx-0 mt-2 mb-5`}>
          A link works once, for {INVITATION_DAYS} days, and can be withdrawn. If you already joined, sign in;
          otherwise ask for a new invitation.
        </p>
        <Link className={buttonClass({ kind: "outlined", wide: true })} href={isSignedIn ? "/" : "/sign-in"}>
          {isSignedIn ? "Go to your approvals" : "Sign in"}
        </Link>
      </SignColumn>
    </SignFrame>
  );
}
