import type { Metadata } from "next";
import { currentSession } from "@/app/auth/member";
import type { InvitationReader } from "@/app/invitations/[token]/_components/accept-forms";
import { InvitationOver, InvitationPage } from "@/app/invitations/[token]/_components/invitation-page";
import { type FoundInvitation, findInvitation } from "@/lib/core/organizations/find-invitation";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { getRuntime } from "@/lib/next/runtime";

/** No referrer: the URL contains the secret. */
export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

interface PageProps {
  params: Promise<{ token: string }>;
}

/** Opening the link changes nothing: mail scanners open links too. */
export default async function Page({ params }: PageProps) {
  const { token } = await params;
  const { services, isSandbox } = getRuntime();
  const [invitation, current] = await Promise.all([findInvitation(services, token), currentSession()]);
  if (!invitation) return <InvitationOver isSandbox={isSandbox} isSignedIn={current !== null} />;
  return (
    <InvitationPage
      token={token}
      view={{
        organizationName: invitation.organizationName,
        invitedByName: invitation.invitedByName,
        email: invitation.email,
        role: invitation.role,
        isSandbox,
        reader: readerOf(invitation, current),
      }}
    />
  );
}

function readerOf({ email, isKnown }: FoundInvitation, current: CurrentSession | null): InvitationReader {
  if (current) {
    const isTheirs = current.actor.email.toLowerCase() === email;
    return isTheirs ? { kind: "MEMBER" } : { kind: "OTHER", email: current.actor.email };
  }
  return { kind: isKnown ? "KNOWN" : "NEW" };
}
