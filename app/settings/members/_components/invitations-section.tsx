"use client";

import { FingerprintPattern, Mail, Send } from "lucide-react";
import { useState } from "react";
import { RoleChoice } from "@/app/settings/members/_components/member-menu";
import { inviteMember, resendInvitation, withdrawInvitation } from "@/app/settings/members/actions";
import { RefusalNote } from "@/components/act/refusal-note";
import { SendForm } from "@/components/act/send-form";
import { useAction } from "@/components/act/use-action";
import { PANEL } from "@/components/layout/panel";
import { Section } from "@/components/layout/section";
import { formatDay, formatWeekdayMoment } from "@/components/time/format-instant";
import { Moment } from "@/components/time/moment";
import { Breakable } from "@/components/ui/breakable";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Ledger } from "@/components/ui/ledger";
import { Note } from "@/components/ui/note";
import { SECTION_TITLE, SUBLINE } from "@/components/ui/text-styles";
import { inviteAct } from "@/lib/contract/confirmation/step-up";
import {
  decidesMoney,
  INVITATION_DAYS,
  MAXIMUM_EMAIL_LENGTH,
  type MemberRole,
  ROLE_WITH_ARTICLE,
  ROLE_WORD,
} from "@/lib/contract/members";
import { formMessage } from "@/lib/contract/refused";
import type { InvitationRowView, MembersView } from "@/lib/views/members/list-members";

export function InvitationsSection({ view }: { view: MembersView }) {
  const { invitations } = view;
  if (invitations.length === 0) return null;
  const count = invitations.length;
  return (
    <Section id="invited" title="Invited" fact={count === 1 ? "1 pending" : `${count} pending`}>
      <Ledger className="[&_tbody_th]:align-top [&_td]:align-top max-sm:[&_td.number]:px-0 max-sm:[&_td.number]:whitespace-normal [&_th[scope='row']]:w-[34%] max-sm:[&_th[scope='row']]:w-auto max-sm:[&_td]:pr-2.5 max-sm:[&_td_>_.button]:min-w-11 max-sm:[&_td_>_.button]:py-0 max-sm:[&_td_>_.button]:px-1.5 [&_th_.notice]:mt-3 [&_th_.notice]:font-normal">
        <caption className="sr-only">Pending invitations</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Address</th>
            <th scope="col">Role</th>
            <th scope="col">Act</th>
          </tr>
        </thead>
        <tbody>
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} view={view} />
          ))}
        </tbody>
      </Ledger>
    </Section>
  );
}

interface InvitationRowProps {
  invitation: InvitationRowView;
  view: MembersView;
}

function InvitationRow({ invitation, view }: InvitationRowProps) {
  const { id, email, role, expiresAt, isOver } = invitation;
  const { time, viewer } = view;
  const which = { invitationId: id };
  const resending = useAction(resendInvitation, {
    proof: () =>
      decidesMoney(role)
        ? {
            act: `RESEND_INVITATION:${id}`,
            title: `Invite ${email} again as ${ROLE_WITH_ARTICLE[role]}`,
            confirmLabel: "Send again",
          }
        : null,
  });
  const withdrawing = useAction(withdrawInvitation);
  const isBusy = resending.isBusy || withdrawing.isBusy;
  return (
    <tr>
      <th scope="row">
        <span className="flex min-w-0 items-center gap-3 wrap-anywhere max-sm:gap-2.5 max-sm:[&>:first-child]:hidden">
          <span
            className="grid flex-none place-items-center size-9 border border-dashed border-edge rounded-full bg-transparent text-[11px] font-semibold tracking-[0.02em] text-ink-3"
            aria-hidden="true"
          >
            <Mail />
          </span>
          <span className="min-w-0 wrap-anywhere">
            <Breakable text={email} />
            <span className={SUBLINE}>
              Invited by {invitation.isByYou ? "you" : invitation.invitedByName},{" "}
              <Moment at={invitation.invitedAt} time={time} format={formatDay} />
            </span>
          </span>
        </span>
        <RefusalNote
          message={resending.message ?? withdrawing.message}
          onRecoveryCode={
            decidesMoney(role) && viewer.hasPasskey ? () => resending.runWithRecoveryCode(which) : null
          }
        />
      </th>
      <td>
        {ROLE_WORD[role]}
        <span className={SUBLINE}>
          {isOver ? (
            "The link no longer works"
          ) : (
            <>
              Open until <Moment at={expiresAt} time={time} format={formatWeekdayMoment} />
            </>
          )}
        </span>
      </td>
      <td className="number max-sm:w-23">
        {invitation.canChange ? (
          <>
            <Button
              kind="quiet"
              size="small"
              busy={isBusy}
              aria-label={`Send again to ${email}`}
              onClick={() => resending.run(which)}
            >
              Send again
            </Button>
            <Button
              kind="quiet"
              size="small"
              busy={isBusy}
              aria-label={`Withdraw the invitation of ${email}`}
              onClick={() => withdrawing.run(which)}
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
}

/** Starts with the least powerful role. */
export function InviteForm({ viewer }: InviteFormProps) {
  const roles = viewer.roles.toReversed();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<MemberRole>("VIEWER");
  const [isEmpty, setIsEmpty] = useState(false);
  const needsProof = decidesMoney(role);
  const inviting = useAction(inviteMember, {
    proof: (invited) =>
      decidesMoney(invited.role)
        ? {
            act: inviteAct(invited),
            title: `Invite ${invited.email} as ${ROLE_WITH_ARTICLE[invited.role]}`,
            confirmLabel: "Send invitation",
          }
        : null,
    onDone: () => {
      setEmail("");
      setRole("VIEWER");
    },
  });
  const sentTo = inviting.result ? inviting.input?.email : null;

  const send = (submit: typeof inviting.run) => {
    setIsEmpty(email.trim() === "");
    if (email.trim() !== "") submit({ email: email.trim(), role });
  };

  return (
    <section className={PANEL} aria-labelledby="invite">
      <h2 className={SECTION_TITLE} id="invite">
        Invite someone
      </h2>
      <SendForm
        className="[&>[role='status']:empty]:-mt-4 grid gap-4 mt-4 [&+div_.notice]:mt-4"
        isBusy={inviting.isBusy}
        onSend={() => send(inviting.run)}
      >
        <InputField
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          maxLength={MAXIMUM_EMAIL_LENGTH}
          value={email}
          error={isEmpty ? "Enter an email address." : (inviting.problems.email ?? null)}
          onChange={(event) => setEmail(event.target.value)}
        />
        <RoleChoice roles={roles} chosen={role} onChoose={setRole} />
        <RefusalNote
          message={formMessage(inviting.refusal)}
          onRecoveryCode={needsProof && viewer.hasPasskey ? () => send(inviting.runWithRecoveryCode) : null}
        />
        <Button kind="primary" wide type="submit" busy={inviting.isBusy}>
          {needsProof && viewer.hasPasskey ? <FingerprintPattern /> : <Send />}
          {inviting.isBusy ? "Sending" : "Send invitation"}
        </Button>
      </SendForm>
      <div role="status">
        {sentTo ? <Note tone="teal">The invitation to {sentTo} is on its way.</Note> : null}
      </div>
      <p className="text-sm text-ink-3 mt-3">The link works once, for {INVITATION_DAYS} days.</p>
    </section>
  );
}
