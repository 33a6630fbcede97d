"use client";

import { Mail } from "lucide-react";
import { StepUpRefusal } from "@/components/auth/step-up-refusal";
import type { MemberActions } from "@/components/members/member-actions";
import { useMemberAct } from "@/components/members/use-member-act";
import { formatDay, formatWeekdayMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { decidesMoney } from "@/lib/contract/decides-money";
import { ROLE_WORD } from "@/lib/contract/members";
import type { InvitationRowView, MembersView } from "@/lib/contract/views/members-view";

/** Who was invited and has not answered. */
export function InvitationsSection({ view, actions }: { view: MembersView; actions: MemberActions }) {
  const { invitations } = view;
  if (invitations.length === 0) return null;
  const count = invitations.length;
  return (
    <Section
      id="invited"
      title="Invited"
      fact={count === 1 ? "1 has not answered" : `${count} have not answered`}
    >
      <table className="ledger mem">
        <caption className="vh">Invitations that wait</caption>
        <thead className="vh">
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Role</th>
            <th scope="col">Act</th>
          </tr>
        </thead>
        <tbody>
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} view={view} actions={actions} />
          ))}
        </tbody>
      </table>
    </Section>
  );
}

interface InvitationRowProps {
  invitation: InvitationRowView;
  view: MembersView;
  actions: MemberActions;
}

function InvitationRow({ invitation, view, actions }: InvitationRowProps) {
  const { id, email, role, expiresAt, isOver } = invitation;
  const { time, viewer } = view;
  const acting = useMemberAct(actions, "Send again");
  const resend = (submit: typeof acting.act) =>
    submit({
      needsProof: decidesMoney(role),
      run: () => actions.resendInvitation({ invitationId: id }),
      onDone: () => undefined,
    });
  return (
    <tr>
      <th scope="row">
        <span className="person">
          <span className="who-i mem-w" aria-hidden="true">
            <Mail className="ic" />
          </span>
          <span className="mem-n">
            {email}
            <span className="meta blk">
              Invited by {invitation.isByYou ? "you" : invitation.invitedByName},{" "}
              <Moment at={invitation.invitedAt} time={time} format={formatDay} />
            </span>
          </span>
        </span>
        <StepUpRefusal
          message={acting.refusal}
          onRecoveryCode={
            decidesMoney(role) && viewer.hasPasskey ? () => resend(acting.actWithRecoveryCode) : null
          }
        />
        {acting.dialog}
      </th>
      <td>
        {ROLE_WORD[role]}
        <span className="meta blk">
          {isOver ? (
            "The link works no longer"
          ) : (
            <>
              Open until <Moment at={expiresAt} time={time} format={formatWeekdayMoment} />
            </>
          )}
        </span>
      </td>
      <td className="num mem-a">
        {invitation.canChange ? (
          <>
            <Button
              kind="quiet"
              size="small"
              busy={acting.isBusy}
              aria-label={`Send again to ${email}`}
              onClick={() => resend(acting.act)}
            >
              Send again
            </Button>
            <Button
              kind="quiet"
              size="small"
              busy={acting.isBusy}
              aria-label={`Withdraw the invitation of ${email}`}
              onClick={() =>
                acting.act({
                  needsProof: false,
                  run: () => actions.withdrawInvitation({ invitationId: id }),
                  onDone: () => undefined,
                })
              }
            >
              Withdraw
            </Button>
          </>
        ) : null}
      </td>
    </tr>
  );
}
