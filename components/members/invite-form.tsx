"use client";

import { FingerprintPattern, Send } from "lucide-react";
import { useState } from "react";
import { StepUpRefusal } from "@/components/auth/step-up-refusal";
import type { MemberActions } from "@/components/members/member-actions";
import { RoleChoice } from "@/components/members/role-choice";
import { useMemberAct } from "@/components/members/use-member-act";
import { Button } from "@/components/ui/button";
import { InputField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { decidesMoney } from "@/lib/contract/decides-money";
import { MAXIMUM_EMAIL_LENGTH } from "@/lib/contract/members";
import type { MembersView } from "@/lib/contract/views/members-view";
import type { MemberRole } from "@/lib/contract/views/people";

interface InviteFormProps {
  viewer: MembersView["viewer"];
  actions: MemberActions;
}

/** Sends an invitation. It begins with the least power. */
export function InviteForm({ viewer, actions }: InviteFormProps) {
  const roles = viewer.roles.toReversed();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<MemberRole>("VIEWER");
  const [problem, setProblem] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const inviting = useMemberAct(actions, "Send invitation");
  const needsProof = decidesMoney(role);

  const send = (submit: typeof inviting.act) => {
    setProblem(email.trim() === "" ? "Enter the address of whom you invite." : null);
    setSentTo(null);
    if (email.trim() === "") return;
    submit({
      needsProof,
      // What is wrong with the address is told beside it, not as a refusal.
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
      <p className="meta mem-h">The link works once and for 7 days.</p>
      {inviting.dialog}
    </section>
  );
}
