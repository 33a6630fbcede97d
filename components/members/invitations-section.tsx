"use client";

import { FingerprintPattern, Mail, Send } from "lucide-react";
import { useState } from "react";
import { StepUpRefusal } from "@/components/auth/use-step-up";
import { RoleChoice } from "@/components/members/member-menu";
import { type MemberActions, useMemberAct } from "@/components/members/use-member-act";
import { formatDay, formatWeekdayMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Section } from "@/components/ui/section";
import { decidesMoney, MAXIMUM_EMAIL_LENGTH, type MemberRole, ROLE_WORD } from "@/lib/contract/members";

import type { InvitationRowView, MembersView } from "@/lib/contract/views/members-view";

export function InvitationsSection({ view, actions }: { view: MembersView; actions: MemberActions }) {
  const { invitations } = view;
  if (invitations.length === 0) return null;
  const count = invitations.length;
  return (
    <Section id="invited" title="Invited" fact={count === 1 ? "1 pending" : `${count} pending`}>
      <table className="ledger mem">
        <caption className="vh">Pending invitations</caption>
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
            "The link no longer works"
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

interface InviteFormProps {
  viewer: MembersView["viewer"];
  actions: MemberActions;
}

/** Starts with the least powerful role. */
export function InviteForm({ viewer, actions }: InviteFormProps) {
  const roles = viewer.roles.toReversed();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<MemberRole>("VIEWER");
  const [problem, setProblem] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const inviting = useMemberAct(actions, "Send invitation");
  const needsProof = decidesMoney(role);

  const send = (submit: typeof inviting.act) => {
    setProblem(email.trim() === "" ? "Enter an email address." : null);
    setSentTo(null);
    if (email.trim() === "") return;
    submit({
      needsProof,
      // A wrong address is reported beside its field, not as a refusal.
      run: async () => {
        const result = await actions.inviteMember({ email: email.trim(), role });
        if (result.kind === "REFUSED" && !result.problems?.email) return result;
        return { kind: "ANSWERED" as const, problem: result.kind === "REFUSED" ? result.message : null };
      },
      onDone: (result) => {
        setProblem(result.problem);
        if (result.problem !== null) return;
        setSentTo(email.trim());
        setEmail("");
        setRole("VIEWER");
      },
    });
  };

  return (
    <section className="panel" aria-labelledby="invite">
      <h2 className="h2" id="invite">
        Invite someone
      </h2>
      <form
        method="post"
        noValidate
        className="mem-i"
        onSubmit={(event) => {
          event.preventDefault();
          if (!inviting.isBusy) send(inviting.act);
        }}
      >
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          maxLength={MAXIMUM_EMAIL_LENGTH}
          value={email}
          error={problem}
          onChange={(event) => setEmail(event.target.value)}
        />
        <RoleChoice roles={roles} chosen={role} onChoose={setRole} />
        <StepUpRefusal
          message={inviting.refusal}
          onRecoveryCode={needsProof && viewer.hasPasskey ? () => send(inviting.actWithRecoveryCode) : null}
        />
        <Button kind="primary" wide type="submit" busy={inviting.isBusy}>
          {needsProof && viewer.hasPasskey ? <FingerprintPattern className="ic" /> : <Send className="ic" />}
          {inviting.isBusy ? "Sending" : "Send invitation"}
        </Button>
      </form>
      <div role="status">
        {sentTo ? <Note tone="teal">The invitation to {sentTo} is on its way.</Note> : null}
      </div>
      <p className="meta mem-h">The link works once, for 7 days.</p>
      {inviting.dialog}
    </section>
  );
}
